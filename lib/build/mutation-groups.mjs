// @ts-check
// What is mutated in one go: each room of core and engine, and the live agent.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {{ name: string, tests: string, leftOut: readonly string[], runner: typeof ROOM | typeof VITEST }} Stage Patterns of
 * test files: which run, and which of them do not; and who runs them, `room` being lib/testing/mutation/room-runner.mjs.
 */
/**
 * @typedef {{ name: string, mutate: string[], stages: readonly Stage[] }} Group `mutate` are paths below the checkout.
 * Each stage tries what those before it have not seen: the tests of the same room, of the same floor, of the floors
 * above that use it.
 */

/** Tests that end processes or power at every call: half a minute for each mutant. Without them a figure is a little too low. */
const CRASHES = ['lib/engine/**/*-crash.test.ts', 'lib/adapters/write/sigkill.test.ts']
/** Trees of a hundred thousand entries, in code that counts its steps: more than all other tests together. */
const HUGE = 'lib/core/repair/hostile-trees.test.ts'
/** Whole conversations of the live agent, in every form of messages: a minute for each mutant that they do not see. */
const WHOLE_TALKS = [
  'lib/agent/{careless-agent,count-forms,covered-credentials,hostile-agent,message-forms,request-forms,task-run}.test.ts',
  'lib/agent/kit/{real-sdks,slow-ports}.test.ts',
]
/** Those of the floors above that take long as well, and try other things. */
const SLOW = ['lib/compose/ingest/ingestion.test.ts', 'lib/engine/cold/drop-again.test.ts', ...WHOLE_TALKS]

/** Who runs the tests of a stage. */
const ROOM = /** @type {const} */ ('room')
const VITEST = /** @type {const} */ ('vitest')

/** Floors above that use a floor. @type {Record<string, string>} */
const ABOVE = {
  'lib/core': 'lib/{engine,agent,compose}/**/*.test.ts',
  'lib/engine': 'lib/{agent,adapters/write,compose}/**/*.test.ts',
  'lib/agent': 'lib/compose/**/*.test.ts',
}

/** @param {string} root absolute path of the checkout @returns {Group[]} */
export function mutationGroups(root) {
  return [...roomsOf(root, 'lib/core'), ...roomsOf(root, 'lib/engine'), 'lib/agent'].map((name) => ({
    name,
    mutate: sources(root, name),
    stages: stagesOf(name),
  }))
}

/** @param {string} root @param {string} floor @returns {string[]} */
function roomsOf(root, floor) {
  return readdirSync(join(root, floor), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${floor}/${name}`)
}

/**
 * The tests of the same room first: they are quick, and see most. Those of the floor, then whole conversations, then
 * those of the floors above, try only what is left.
 * @param {string} path of a folder or a file
 * @returns {readonly Stage[]}
 */
function stagesOf(path) {
  const [floor, above] = Object.entries(ABOVE).find(([name]) => `${path}/`.startsWith(`${name}/`)) ?? []
  if (floor === undefined || above === undefined) throw new Error(`${path} is on no floor that is mutated`)
  const [room = ''] = path.slice(floor.length + 1).split('/')
  const ofFloor = `${floor}/**/*.test.ts`
  const ofRoom = room === '' || room.endsWith('.ts') ? ofFloor : `${floor}/${room}/**/*.test.ts`
  return [
    { name: 'room', tests: ofRoom, leftOut: [...CRASHES, ...WHOLE_TALKS, HUGE], runner: ROOM },
    ...(ofRoom === ofFloor
      ? []
      : [
          {
            name: 'floor',
            tests: ofFloor,
            leftOut: [...CRASHES, ...WHOLE_TALKS, HUGE, ofRoom],
            runner: ROOM,
          },
        ]),
    ...(floor === 'lib/agent'
      ? [{ name: 'talks', tests: `{${WHOLE_TALKS.join(',')}}`, leftOut: [], runner: VITEST }]
      : []),
    { name: 'above', tests: above, leftOut: [...CRASHES, ...SLOW], runner: VITEST },
  ]
}

/** @param {string} root @param {string} folder @returns {string[]} paths of its source files, without tests */
function sources(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .sort()
}

/**
 * Groups that an argument means: a folder (`lib/core/budget`, `lib/engine`), or a folder within a room
 * (`lib/agent/kit`) or a file, which then is a group alone.
 * @param {readonly Group[]} groups
 * @param {string} arg
 * @returns {Group[]}
 */
export function groupsOf(groups, arg) {
  const path = arg.replace(/^\.\//, '').replace(/\/$/, '')
  if (path.endsWith('.ts')) return [{ name: path, mutate: [path], stages: stagesOf(path) }]
  const whole = groups.filter(({ name }) => name === path || name.startsWith(`${path}/`))
  if (whole.length > 0) return whole
  const within = groups.flatMap(({ mutate }) => mutate).filter((file) => file.startsWith(`${path}/`))
  return within.length === 0 ? [] : [{ name: path, mutate: within, stages: stagesOf(path) }]
}

/**
 * What several arguments mean. Files of one room become one group: each group copies the checkout and runs its tests
 * once before the first mutant.
 * @param {readonly Group[]} groups
 * @param {readonly string[]} args
 * @returns {Group[]}
 */
export function chosenGroups(groups, args) {
  /** @type {Map<string, Group>} */
  const chosen = new Map()
  for (const group of args.flatMap((arg) => groupsOf(groups, arg))) {
    const room = roomOf(group)
    const other = room === null ? undefined : chosen.get(room)
    chosen.set(room ?? group.name, other === undefined ? group : joined(`${room}-files`, other, group))
  }
  return [...chosen.values()]
}

/** The folder of a group that is one file or several. @param {Group} group */
function roomOf({ name, mutate: [first = ''] }) {
  if (!name.endsWith('.ts') && !name.endsWith('-files')) return null
  const [base = '', floor = '', room = ''] = first.split('/')
  return [base, floor, ...(room.endsWith('.ts') ? [] : [room])].join('/')
}

/** @param {string} name @param {Group} one @param {Group} other @returns {Group} */
function joined(name, one, other) {
  return { name, mutate: [...new Set([...one.mutate, ...other.mutate])], stages: one.stages }
}
