// @ts-check
// What is mutated in one go: each room of core and engine, and the live agent.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {{ name: string, mutate: string[], near: string, far: string }} Group `mutate` are paths below the
 * checkout. `near` is the pattern of the tests of the same floor, `far` of those of the floors above that use it.
 */

/** Tests that end processes or power at every call: half a minute for each mutant. Without them a figure is a little too low. */
const CRASHES = ['lib/engine/**/*-crash.test.ts', 'lib/adapters/write/sigkill.test.ts']
/** Those of the floors above that take long as well, and try other things. */
const SLOW = [
  'lib/compose/ingestion.test.ts',
  'lib/engine/cold/drop-again.test.ts',
  'lib/agent/{message-forms,task-run}.test.ts',
]
/** Which tests each of the two runs does without. */
export const LEFT_OUT = { near: CRASHES, far: [...CRASHES, ...SLOW] }

/** @type {Record<string, { near: string, far: string }>} */
const TESTS = {
  'lib/core': { near: 'lib/core/**/*.test.ts', far: 'lib/{engine,agent,compose}/**/*.test.ts' },
  'lib/engine': { near: 'lib/engine/**/*.test.ts', far: 'lib/{agent,adapters/write,compose}/**/*.test.ts' },
  'lib/agent': { near: 'lib/agent/**/*.test.ts', far: 'lib/compose/**/*.test.ts' },
}

/** @param {string} root absolute path of the checkout @returns {Group[]} */
export function mutationGroups(root) {
  return [...roomsOf(root, 'lib/core'), ...roomsOf(root, 'lib/engine'), 'lib/agent'].map((name) => ({
    name,
    mutate: sources(root, name),
    ...testsOf(name),
  }))
}

/** @param {string} root @param {string} floor @returns {string[]} */
function roomsOf(root, floor) {
  return readdirSync(join(root, floor), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${floor}/${name}`)
}

/** @param {string} path of a folder or a file */
function testsOf(path) {
  const [, tests] = Object.entries(TESTS).find(([floor]) => `${path}/`.startsWith(`${floor}/`)) ?? []
  if (tests === undefined) throw new Error(`${path} is on no floor that is mutated`)
  return tests
}

/** @param {string} root @param {string} folder @returns {string[]} paths of its source files, without tests */
function sources(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .sort()
}

/**
 * Groups that an argument means: a folder (`lib/core/budget`, `lib/engine`), or a file, which then is a group alone.
 * @param {readonly Group[]} groups
 * @param {string} arg
 * @returns {Group[]}
 */
export function groupsOf(groups, arg) {
  const path = arg.replace(/^\.\//, '').replace(/\/$/, '')
  if (path.endsWith('.ts')) return [{ name: path, mutate: [path], ...testsOf(path) }]
  return groups.filter(({ name }) => name === path || name.startsWith(`${path}/`))
}
