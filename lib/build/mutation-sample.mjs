// @ts-check
// A random sample of the mutants of some files, for a figure in minutes where all of them take hours.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { mutantKey } from './mutation-results.mjs'
import { root } from './project.mjs'

const IGNORED = 'lib/testing/mutation/ignore-messages.mjs'

/** @typedef {import('./mutation-results.mjs').Mutant['location']} Location lines and columns from 1 */
/** @typedef {{ key: string, path: string, location: Location }} Chosen */

/**
 * Draws places, and takes all mutants of each: they are made together anyway.
 * @param {readonly string[]} paths
 * @param {number} size how many mutants, at least
 * @param {number} seed the same seed chooses the same places of the same code
 * @returns {Promise<Chosen[]>}
 */
export async function sampleOf(paths, size, seed) {
  const random = randomFrom(seed)
  /** @type {Map<string, Chosen[]>} */
  const places = new Map()
  for (const mutant of await allMutants(paths)) {
    const place = JSON.stringify([mutant.path, mutant.location])
    places.set(place, [...(places.get(place) ?? []), mutant])
  }
  const drawn = [...places.values()].map((mutants) => ({ mutants, at: random() })).sort((a, b) => a.at - b.at)
  /** @type {Chosen[]} */
  const chosen = []
  for (const { mutants } of drawn) {
    if (chosen.length >= size) break
    chosen.push(...mutants)
  }
  return chosen
}

/** @param {readonly string[]} paths @returns {Promise<Chosen[]>} */
async function allMutants(paths) {
  // The instrumenter is a part of Stryker's core and is found from there.
  const core = createRequire(createRequire(import.meta.url).resolve('@stryker-mutator/core'))
  const { Instrumenter } = await import(pathToFileURL(core.resolve('@stryker-mutator/instrumenter')).href)
  // The same plugin that Stryker loads by its path: what it ignores is not drawn.
  const { ignorers } = await import(pathToFileURL(join(root, IGNORED)).href)
  const silent = () => {}
  const logger = { debug: silent, info: silent, warn: silent, isDebugEnabled: () => false }
  const files = paths.map((name) => ({ name, mutate: true, content: readFileSync(join(root, name), 'utf8') }))
  const { mutants } = await new Instrumenter(logger).instrument(files, {
    plugins: null,
    excludedMutations: [],
    noHeader: true,
    ignorers: ignorers.map((/** @type {{ value: unknown }} */ { value }) => value),
  })
  return mutants
    .filter((/** @type {{ status?: string }} */ { status }) => status !== 'Ignored')
    .map(
      (
        /** @type {{ fileName: string, mutatorName: string, replacement: string, location: Location }} */ {
          fileName: path,
          mutatorName,
          replacement,
          location: { start, end },
        },
      ) => {
        // The instrumenter counts from 0, the results from 1.
        const location = {
          start: { line: start.line + 1, column: start.column + 1 },
          end: { line: end.line + 1, column: end.column + 1 },
        }
        return { path, location, key: mutantKey({ path, location, mutatorName, replacement }) }
      },
    )
}

/** Numbers from 0 to 1 that look random (mulberry32). @param {number} seed */
function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
