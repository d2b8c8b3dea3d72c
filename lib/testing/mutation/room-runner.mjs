// @ts-check
// How the tests of a room meet its mutants: all of them are loaded once, in one process, and run again as functions. Vitest
// takes a tenth of a second and more to begin a run, which is most of the time where there are thousands of mutants.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { commonTokens, declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import {
  DryRunStatus,
  determineHitLimitReached,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner'
import { build } from 'esbuild'
import { collected } from './stand-in.mjs'

const STAND_IN = new URL('stand-in.mjs', import.meta.url).href
/** In the copy of the checkout: the ids of the tests that are left out, once all have run. */
const LEFT_OUT = 'tests-left-out.json'
/** Found where vitest finds it. */
const { globSync } = createRequire(createRequire(import.meta.url).resolve('vitest/package.json'))(
  'tinyglobby',
)

/**
 * A test that takes longer is left out: it would run again for most mutants that no other test sees, and what it tries
 * whole, the others try in parts. Milliseconds.
 */
const LONGEST_MS = 500

/** What the second time reaches is counted nowhere: no test has this id. */
const AGAIN = 'again'

/** @typedef {import('@stryker-mutator/api/test-runner').TestRunner} TestRunner */
/** @typedef {import('@stryker-mutator/api/test-runner').TestResult} TestResult */
/** @typedef {import('./stand-in.mjs').Collected} Collected */
/**
 * What instrumented code reads and writes.
 * @typedef {{ activeMutant?: string, currentTestId?: string, hitCount?: number, hitLimit?: number,
 *   mutantCoverage?: import('@stryker-mutator/api/core').MutantCoverage }} Instrumenter
 */

/** @implements {TestRunner} */
class RoomRunner {
  /** @type {[typeof commonTokens.logger]} */
  static inject = [commonTokens.logger]

  /** @param {import('@stryker-mutator/api/logging').Logger} log */
  constructor(log) {
    this.log = log
    /** @type {Instrumenter} */
    this.instrumenter = /** @type {any} */ (globalThis).__stryker__ ??= {}
    /** What went wrong outside of a test, in a promise that nobody waited for. @type {unknown[]} */
    this.strays = []
    /** Whether the tests have run in this process without a mutant. */
    this.isWarm = false
    /** Whether a mutant was tried in this process, and whether one has left something that fails a test without it. */
    this.hasTried = false
    this.isSpoilt = false
    process.on('unhandledRejection', (reason) => this.strays.push(reason))
    process.on('uncaughtException', (error) => this.strays.push(error))
  }

  capabilities() {
    return { reloadEnvironment: false }
  }

  async init() {
    await import(pathToFileURL(await bundleTests()).href)
    if (existsSync(LEFT_OUT)) await this.warmUp(JSON.parse(readFileSync(LEFT_OUT, 'utf8')))
  }

  /**
   * Runs the tests in a process that takes the place of one that was ended. What code makes once and keeps would be made
   * under the first mutant there, and a test that meets it would seem to see each later one.
   * @param {readonly string[]} leftOut
   */
  async warmUp(leftOut) {
    for (const [id, test] of collected.entries()) if (!leftOut.includes(String(id))) await this.faultOf(test)
    this.isWarm = true
  }

  /** @returns {Promise<import('@stryker-mutator/api/test-runner').DryRunResult>} */
  async dryRun() {
    /** @type {TestResult[]} */
    const once = []
    const leftOut = []
    for (const [id, test] of collected.entries()) {
      this.instrumenter.currentTestId = String(id)
      const began = performance.now()
      const fault = await this.faultOf(test)
      const timeSpentMs = performance.now() - began
      if (fault === null && timeSpentMs <= LONGEST_MS)
        once.push({
          id: String(id),
          name: test.name,
          fileName: test.file,
          timeSpentMs,
          status: TestStatus.Success,
        })
      else
        leftOut.push(`${test.name}: ${fault === null ? `${Math.round(timeSpentMs)} ms` : messageOf(fault)}`)
    }
    // What passes but once, or not behind the others, would seem to see every mutant.
    this.instrumenter.currentTestId = AGAIN
    const tests = []
    for (const test of once) {
      const fault = await this.faultOf(/** @type {Collected} */ (collected[Number(test.id)]))
      if (fault === null) tests.push(test)
      else leftOut.push(`${test.name}, the second time: ${messageOf(fault)}`)
    }
    this.instrumenter.currentTestId = undefined
    if (leftOut.length > 0) this.log.info(`${leftOut.length} tests are left out:\n${leftOut.join('\n')}`)
    const kept = new Set(tests.map(({ id }) => id))
    writeFileSync(LEFT_OUT, JSON.stringify([...collected.keys()].map(String).filter((id) => !kept.has(id))))
    this.isWarm = true
    const { perTest = {}, static: atLoad = {} } = this.instrumenter.mutantCoverage ?? {}
    return {
      status: DryRunStatus.Complete,
      tests,
      mutantCoverage: {
        static: atLoad,
        perTest: Object.fromEntries(Object.entries(perTest).filter(([id]) => kept.has(id))),
      },
    }
  }

  /** @param {import('@stryker-mutator/api/test-runner').MutantRunOptions} options */
  async mutantRun({ activeMutant, testFilter = [], hitLimit }) {
    // A process that began beside the first run: Stryker begins another one and tries this mutant again.
    if (!this.isWarm) throw new Error('no test has run in this process yet')
    // What a mutant has left in what code keeps would fail tests of the next ones: each of them needs a process without it.
    if (this.isSpoilt) throw new Error('an earlier mutant has left something behind')
    // What the mutant before has left in promises fails now, and not in a test of this one.
    await new Promise(setImmediate)
    Object.assign(this.instrumenter, { activeMutant: activeMutant.id, hitCount: 0, hitLimit })
    /** @type {TestResult[]} */
    const tests = []
    for (const id of testFilter) {
      const test = collected[Number(id)]
      if (test === undefined) continue
      const began = performance.now()
      const fault = await this.faultOf(test)
      const result = { id, name: test.name, timeSpentMs: performance.now() - began }
      if (fault === null) tests.push({ ...result, status: TestStatus.Success })
      else {
        tests.push({ ...result, status: TestStatus.Failed, failureMessage: messageOf(fault) })
        break
      }
    }
    this.instrumenter.activeMutant = undefined
    const ended = determineHitLimitReached(this.instrumenter.hitCount, hitLimit)
    const failed = tests.find(({ status }) => status === TestStatus.Failed)
    // Without the mutant the test passes again, or it says nothing about this one unless it is the first here.
    this.isSpoilt =
      failed !== undefined &&
      (await this.faultOf(/** @type {Collected} */ (collected[Number(failed.id)]))) !== null
    if (this.isSpoilt && this.hasTried) throw new Error('an earlier mutant has left something behind')
    this.hasTried = true
    return toMutantRunResult(ended ?? { status: DryRunStatus.Complete, tests })
  }

  /** @param {Collected} test @returns {Promise<unknown>} null: the test passed */
  async faultOf(test) {
    this.strays = []
    try {
      await test.run()
    } catch (error) {
      return error ?? new Error('thrown without a reason')
    }
    return this.strays[0] ?? null
  }
}

/** @param {unknown} fault */
function messageOf(fault) {
  return fault instanceof Error ? (fault.message.split('\n')[0] ?? '') : String(fault)
}

/**
 * One module with all tests of `MUTATION_TESTS`, made in the copy of the checkout in which Stryker put the mutants.
 * @returns {Promise<string>} its path
 */
async function bundleTests() {
  const root = process.cwd()
  const { MUTATION_TESTS: tests = '', MUTATION_TESTS_LEFT_OUT: leftOut = '' } = process.env
  const bundle = join(root, `tests-of-room-${process.env.STRYKER_MUTATOR_WORKER ?? 0}.mjs`)
  // A process that was ended in the middle has a successor.
  if (existsSync(bundle)) return bundle
  /** @type {string[]} */
  const files = globSync([tests], { cwd: root, ignore: leftOut.split(' ').filter(Boolean) }).sort()
  const entry = files.flatMap((file) => [`begins:${file}`, `./${file}`])
  await build({
    stdin: {
      contents: ['./lib/testing/mutation/fewer-cases.ts', ...entry]
        .map((path) => `import ${JSON.stringify(path)}`)
        .join('\n'),
      resolveDir: root,
      loader: 'js',
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    alias: { '@': root },
    outfile: bundle,
    logLevel: 'error',
    plugins: [asTests(root)],
  })
  return bundle
}

/**
 * Gives tests the stand-in for vitest, tells it where each file begins, and lets each module find the files beside it.
 * @param {string} root
 * @returns {import('esbuild').Plugin}
 */
function asTests(root) {
  return {
    name: 'tests',
    setup(bundling) {
      bundling.onResolve({ filter: /^vitest$/ }, () => ({ path: STAND_IN, external: true }))
      bundling.onResolve({ filter: /^begins:/ }, ({ path }) => ({ path, namespace: 'begins' }))
      bundling.onLoad({ filter: /./, namespace: 'begins' }, ({ path }) => ({
        contents: `import { beginFile } from ${JSON.stringify(STAND_IN)}; beginFile(${JSON.stringify(join(root, path.slice('begins:'.length)))})`,
        resolveDir: root,
      }))
      bundling.onResolve({ filter: /^file:/ }, ({ path }) => ({ path, external: true }))
      bundling.onLoad({ filter: /\.[cm]?[jt]s$/ }, ({ path }) => {
        if (relative(root, path).startsWith('node_modules')) return undefined
        const place = {
          'import.meta.url': pathToFileURL(path).href,
          'import.meta.dirname': join(path, '..'),
          'import.meta.filename': path,
        }
        let contents = readFileSync(path, 'utf8')
        for (const [name, value] of Object.entries(place))
          contents = contents.replaceAll(name, () => JSON.stringify(value))
        return { contents, loader: path.endsWith('ts') ? 'ts' : 'js' }
      })
    },
  }
}

export const roomRunner = declareClassPlugin(PluginKind.TestRunner, 'room', RoomRunner)
