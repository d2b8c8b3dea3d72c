// @ts-check
// What test files import as `vitest` where room-runner.mjs loads them: tests are collected as functions that can be run
// again and again. What is asserted and spied is vitest's own.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const ofVitest = createRequire(createRequire(import.meta.url).resolve('vitest/package.json'))
/** @param {string} name of a package that vitest brings */
const load = async (name) => await import(pathToFileURL(ofVitest.resolve(name)).href)
const chai = await load('chai')
const spies = await load('@vitest/spy')
const expects = await load('@vitest/expect')

/** @typedef {() => unknown} Step */
/** @typedef {{ readonly name: string, readonly file: string, readonly run: () => Promise<void> }} Collected */
/** @typedef {{ readonly name: string, readonly outer: Group | null, readonly before: Step[], readonly after: Step[] }} Group */

/** All tests, in the order of their files. @type {Collected[]} */
export const collected = []

let file = ''
/** @type {Group} */
let group = { name: '', outer: null, before: [], after: [] }
/** What the running test wants done at its end. @type {Step[]} */
let atEnd = []

/** @param {string} path what is collected from now on is in this file */
export function beginFile(path) {
  file = path
  group = { name: '', outer: null, before: [], after: [] }
}

/** @type {any} */
const globals = globalThis

chai.use(expects.JestExtend)
chai.use(expects.JestChaiExpect)
chai.use(expects.JestAsymmetricMatchers)
/** @type {any} Called with what is looked at, and words for the case that it is wrong. */
export const expect = (/** @type {unknown} */ value, /** @type {string} */ message) =>
  chai.expect(value, message)
Object.assign(expect, chai.expect, globals[expects.ASYMMETRIC_MATCHERS_OBJECT] ?? {}, {
  getState: () => expects.getState(expect),
  setState: (/** @type {object} */ state) => expects.setState(state, expect),
  extend: (/** @type {object} */ matchers) => chai.expect.extend(expect, matchers),
})
globals[expects.GLOBAL_EXPECT] = expect
expect.setState({ assertionCalls: 0, isExpectingAssertions: false, expectedAssertionsNumber: null })
expect.extend(expects.customMatchers)

/**
 * Options may come before the function or behind it; none of them matters here.
 * @param {readonly unknown[]} args
 * @returns {(...values: any[]) => unknown}
 */
function functionIn(args) {
  const found = args.find((arg) => typeof arg === 'function')
  return /** @type {(...values: any[]) => unknown} */ (found ?? (() => {}))
}

/** @param {string} name @param {...unknown} rest */
export function describe(name, ...rest) {
  const outer = group
  group = { name: `${outer.name}${name} > `, outer, before: [], after: [] }
  functionIn(rest)()
  group = outer
}

/** @param {string} name @param {...unknown} rest */
export function it(name, ...rest) {
  const test = functionIn(rest)
  const groups = /** @type {Group[]} */ ([])
  for (let at = /** @type {Group | null} */ (group); at !== null; at = at.outer) groups.unshift(at)
  const run = async () => {
    atEnd = []
    try {
      for (const step of groups.flatMap(({ before }) => before)) {
        const undo = await step()
        if (typeof undo === 'function') atEnd.unshift(/** @type {Step} */ (undo))
      }
      await test({ expect })
    } finally {
      for (const step of [...groups.toReversed().flatMap(({ after }) => after), ...atEnd]) await step()
      spies.restoreAllMocks()
    }
  }
  collected.push({ name: `${group.name}${name}`, file, run })
}
export const test = it

const nothing = Object.assign(() => {}, { each: () => () => {} })

for (const collect of [describe, it]) {
  Object.assign(collect, {
    skip: nothing,
    skipIf: (/** @type {unknown} */ skips) => (skips ? nothing : collect),
    runIf: (/** @type {unknown} */ runs) => (runs ? collect : nothing),
    each:
      (/** @type {readonly unknown[]} */ rows) =>
      (/** @type {string} */ name, /** @type {unknown[]} */ ...rest) => {
        for (const [place, row] of rows.entries())
          collect(`${name} #${place}`, () => functionIn(rest)(...(Array.isArray(row) ? row : [row])))
      },
  })
}

/** @param {Step} step */
export function beforeEach(step) {
  group.before.push(step)
}
/** @param {Step} step */
export function afterEach(step) {
  group.after.push(step)
}
/** Once, before the first test that needs it. @param {Step} step */
export function beforeAll(step) {
  /** @type {Promise<void> | undefined} */
  let done
  group.before.push(() => {
    done ??= Promise.resolve(step()).then(() => {})
    return done
  })
}
/** What was made for all tests is there for the next mutant, too. */
export function afterAll() {}
/** @param {Step} step */
export function onTestFinished(step) {
  atEnd.unshift(step)
}
/** Types are checked elsewhere. */
export const expectTypeOf = () =>
  new Proxy(() => {}, { get: () => expectTypeOf, apply: () => expectTypeOf() })

/** Without clocks: a test that sets them is left out, since it fails here. */
export const vi = { fn: spies.fn, spyOn: spies.spyOn }
