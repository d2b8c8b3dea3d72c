// @ts-check
// Entry of `npm run mutate`: breaks core and engine on purpose, one small change at a time, and counts which changes the
// unit tests see. Arguments choose folders; `--survivors` prints the changes that no test saw, `--list` writes them to the
// list of survivors. `--sample=300` tries that many of each folder, drawn at random (`--sample=300:2` draws others);
// `--room` runs only the tests of the same room: what they kill is the least that is killed.
// Results of unchanged code and tests are kept from run to run.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDependencies } from './dependencies.mjs'
import { chosenGroups, groupsOf, mutationGroups } from './mutation-groups.mjs'
import { mutantsIn, rangeOf, unseen } from './mutation-results.mjs'
import { sampleOf } from './mutation-sample.mjs'
import { listed, writeList } from './mutation-survivors.mjs'
import { root, say } from './project.mjs'

/** Ignored by git. */
const PLACE = '.stryker'
/** Percent of mutants that the tests of a folder kill; below it the exit code is 1. */
const BAR = 80

/** @typedef {import('./mutation-results.mjs').Mutant} Mutant */
/** @typedef {{ name: string, killed: number, survived: number, uncovered: number, score: number | null }} Row */

/** @param {string} name @param {readonly Mutant[]} mutants @returns {Row} */
function countOf(name, mutants) {
  const count = (/** @type {string[]} */ ...states) =>
    mutants.filter(({ status }) => states.includes(status)).length
  // A mutant that never ends counts as examined.
  const killed = count('Killed', 'Timeout')
  const survived = count('Survived')
  const uncovered = count('NoCoverage')
  const all = killed + survived + uncovered
  return { name, killed, survived, uncovered, score: all === 0 ? null : (100 * killed) / all }
}

/** @param {Row} row @param {number} unlisted survivors that the list does not name */
function line({ name, killed, survived, uncovered, score }, unlisted) {
  const figures = [killed + survived + uncovered, killed, survived, uncovered, unlisted].map((n) =>
    String(n).padStart(9),
  )
  // Of a sample, with the margin within which the whole lies in 19 of 20 draws.
  const margin =
    sample === null || score === null
      ? ''
      : ` ± ${(1.96 * Math.sqrt((score * (100 - score)) / (killed + survived + uncovered))).toFixed(1)}`
  return `${name.padEnd(36)}${figures.join('')}${(score === null ? '–' : `${score.toFixed(1)} %`).padStart(9)}${margin}`
}

/**
 * @param {string} slug name of the result
 * @param {readonly string[]} mutate
 * @param {import('./mutation-groups.mjs').Stage} stage
 */
async function run(slug, mutate, { name, tests, leftOut, runner }) {
  const { Stryker } = await import('@stryker-mutator/core')
  const result = `${PLACE}/results/${slug}-${name}.json`
  // Read by the configuration of vitest in the processes that Stryker starts.
  process.env.MUTATION_TESTS = tests
  process.env.MUTATION_TESTS_LEFT_OUT = leftOut.join(' ')
  await new Stryker({
    configFile: 'lib/testing/mutation/stryker.config.mjs',
    testRunner: runner,
    mutate: [...mutate],
    tempDirName: `${PLACE}/tmp`,
    incrementalFile: result,
    htmlReporter: { fileName: `${PLACE}/html/${slug}-${name}.html` },
  }).runMutationTest()
  // A result keeps what earlier runs found of files that this one leaves out.
  const files = new Set(mutate.map((path) => path.split(':')[0]))
  return mutantsIn(join(root, result)).filter(({ path }) => files.has(path))
}

/**
 * @param {import('./mutation-groups.mjs').Group} group
 * @returns {Promise<Mutant[]>}
 */
async function runGroup({ name, mutate, stages: all }) {
  const stages = roomOnly ? all.slice(0, 1) : all
  const slug = name.replace(/[^\w.-]+/g, '-')
  delete process.env.MUTATION_SAMPLE
  if (sample === null) return await runStages(slug, mutate, stages, () => true)
  const chosen = await sampleOf(mutate, sample.size, sample.seed)
  const keys = new Set(chosen.map(({ key }) => key))
  only(`${slug}-sample`, chosen)
  // Results of other samples are kept beside.
  return await runStages(`${slug}-sample`, [...new Set(chosen.map(rangeOf))], stages, ({ key }) =>
    keys.has(key),
  )
}

/**
 * @param {string} slug
 * @param {readonly string[]} mutate
 * @param {readonly import('./mutation-groups.mjs').Stage[]} stages
 * @param {(mutant: Mutant) => boolean} isMeant
 * @returns {Promise<Mutant[]>}
 */
async function runStages(slug, mutate, [first, ...others], isMeant) {
  if (first === undefined) return []
  let mutants = (await run(slug, mutate, first)).filter(isMeant)
  for (const stage of others) {
    const left = mutants.filter(unseen)
    if (left.length === 0) break
    only(`${slug}-${stage.name}`, left)
    const tried = await run(slug, [...new Set(left.map(rangeOf))], stage)
    const states = new Map(tried.map(({ key, status }) => [key, status]))
    mutants = mutants.map((mutant) => {
      const status = states.get(mutant.key)
      // What no test of this stage reaches, those before it may have reached.
      return !unseen(mutant) || status === undefined || status === 'NoCoverage'
        ? mutant
        : { ...mutant, status }
    })
  }
  return mutants
}

/**
 * Makes Stryker pass over all mutants but these.
 * @param {string} slug
 * @param {readonly Pick<Mutant, 'location'>[]} mutants
 */
function only(slug, mutants) {
  process.env.MUTATION_SAMPLE = join(root, PLACE, `${slug}.json`)
  const places = mutants.map(({ location: { start, end } }) => [
    start.line,
    start.column - 1,
    end.line,
    end.column - 1,
  ])
  writeFileSync(process.env.MUTATION_SAMPLE, JSON.stringify(places))
}

/** @param {readonly string[]} args @returns {{ size: number, seed: number } | null} null for all mutants */
function sampleFrom(args) {
  const given = args.find((arg) => arg.startsWith('--sample='))
  if (given === undefined) return null
  const [size = Number.NaN, seed = 1] = given.slice('--sample='.length).split(':').map(Number)
  if (!Number.isInteger(size) || size < 1 || !Number.isInteger(seed)) {
    say(`${given}: not a sample. Write --sample=SIZE or --sample=SIZE:SEED, both whole numbers.`)
    process.exit(2)
  }
  return { size, seed }
}

await ensureDependencies()
const args = process.argv.slice(2)
const details = args.includes('--survivors')
const list = args.includes('--list')
const sample = sampleFrom(args)
const roomOnly = args.includes('--room')
const names = args.filter((arg) => !arg.startsWith('--'))
const groups = mutationGroups(root)
const chosen = names.length === 0 ? groups : chosenGroups(groups, names)
const unknown = names.find((name) => groupsOf(groups, name).length === 0)
if (unknown !== undefined) {
  say(
    `${unknown}: no such folder. Choose from: ${groups.map(({ name }) => name).join(', ')}; or name a file.`,
  )
  process.exit(2)
}
mkdirSync(join(root, PLACE, 'results'), { recursive: true })
rmSync(join(root, PLACE, 'tmp'), { recursive: true, force: true })

/** @type {{ row: Row, unlisted: number }[]} */
const rows = []
let failed = false
for (const group of chosen) {
  let mutants
  try {
    mutants = await runGroup(group)
  } catch (error) {
    // Mostly a test that fails without any mutant; the message above names it. Other folders may still be fine.
    say(`${group.name}: not measured. ${error instanceof Error ? error.message : error}`)
    failed = true
    continue
  }
  const survivors = mutants.filter(unseen)
  if (list) writeList(survivors, mutants)
  const unlisted = survivors.filter((mutant) => !listed(mutant))
  rows.push({ row: countOf(group.name, mutants), unlisted: unlisted.length })
  if (!details) continue
  for (const { path, status, location, mutatorName, from, to } of survivors) {
    say(`${path}:${location.start.line} ${status} ${mutatorName} ${from} → ${to}`)
  }
}
say(
  `${'folder'.padEnd(36)}${['mutants', 'killed', 'survived', 'untested', 'unlisted', 'score'].map((word) => word.padStart(9)).join('')}`,
)
for (const { row, unlisted } of rows) say(line(row, unlisted))
process.exitCode = failed || rows.some(({ row: { score } }) => score !== null && score < BAR) ? 1 : 0
