// @ts-check
// The list of mutants that stay, each with the reason: `lib/testing/mutation/survivors/<folder>.tsv`, one a line:
// file, code before, code after, reason. Lines of a file move, so a survivor is known by its code and not by its line.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './project.mjs'

/** @typedef {import('./mutation-results.mjs').Mutant} Mutant */

const FOLDER = join(root, 'lib/testing/mutation/survivors')
/** What a new survivor says until it is reviewed. */
const UNREAD = 'not read yet'
/** Longer code is cut; it names a block well enough. */
const LONGEST = 160

/** @param {Mutant} mutant */
function keyOf({ path, from, to }) {
  return [path, cut(from), cut(to)].join('\t')
}

/** @param {string} code */
function cut(code) {
  const flat = code.replaceAll('\t', ' ')
  return flat.length > LONGEST ? `${flat.slice(0, LONGEST)}…` : flat
}

/** @param {string} path of a source file */
function listOf(path) {
  const [, floor = '', room = ''] = path.split('/')
  return room.endsWith('.ts') ? `${floor}.tsv` : `${floor}-${room}.tsv`
}

/** @returns {Map<string, string>} reason by mutant */
function reasons() {
  if (!existsSync(FOLDER)) return new Map()
  const lines = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.tsv'))
    .flatMap((name) => readFileSync(join(FOLDER, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf('\t')), line.slice(line.lastIndexOf('\t') + 1)]),
  )
}

/** Whether the list names the mutant with a reason. @param {Mutant} mutant */
export function listed(mutant) {
  const reason = reasons().get(keyOf(mutant))
  return reason !== undefined && reason !== UNREAD
}

/**
 * Brings the list up to date with what was measured: reasons are kept, new survivors are added as not read yet, those
 * that a test sees by now go.
 * @param {readonly Mutant[]} survivors
 * @param {readonly Mutant[]} measured all that were tried, seen or not
 */
export function writeList(survivors, measured) {
  const known = reasons()
  const tried = new Set(measured.map(keyOf))
  const next = new Map([...known].filter(([key]) => !tried.has(key)))
  for (const mutant of survivors) next.set(keyOf(mutant), known.get(keyOf(mutant)) ?? UNREAD)
  /** @type {Map<string, string[]>} */
  const files = new Map()
  for (const [key, reason] of next) {
    const name = listOf(key.slice(0, key.indexOf('\t')))
    files.set(name, [...(files.get(name) ?? []), `${key}\t${reason}`])
  }
  mkdirSync(FOLDER, { recursive: true })
  for (const [name, lines] of files) writeFileSync(join(FOLDER, name), `${lines.sort().join('\n')}\n`)
}
