// @ts-check
// Entry of `npm test`: unit and database tests, while the production build is made; then browser tests against it.
// Arguments go to vitest and leave the browser out.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDependencies } from './dependencies.mjs'
import { browserFailures, unitFailures } from './failures.mjs'
import { root, runTool, say } from './project.mjs'

const REPORTS = join(root, 'test-results')
const UNIT = join(REPORTS, 'unit.json')
const BROWSER = join(REPORTS, 'browser.json')
const args = process.argv.slice(2)

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Totals
 * @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number, testResults: import('./failures.mjs').UnitFile[] }} UnitReport
 * @typedef {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number } } & import('./failures.mjs').BrowserSuite} BrowserReport
 */

/** @param {string} path */
function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

/** A test file that could not even be loaded has no tests; it counts as one failure. @returns {Totals} */
function unitTotals() {
  const report = /** @type {UnitReport | null} */ (read(UNIT))
  if (!report) return { passed: 0, failed: 1, skipped: 0 }
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** @returns {Totals} */
function browserTotals() {
  const report = /** @type {BrowserReport | null} */ (read(BROWSER))
  if (!report) return { passed: 0, failed: 1, skipped: 0 }
  const { expected, unexpected, flaky, skipped } = report.stats
  return { passed: expected + flaky, failed: unexpected, skipped }
}

/** Finds or installs a browser and builds what it is to show. @returns {Promise<string>} its path */
async function prepareBrowserTests() {
  const { ensureBrowser } = await import('./browser.mjs')
  const browser = await ensureBrowser()
  await buildAll()
  return browser
}

await ensureDependencies()
const { buildAll, generateClient } = await import('./build.mjs')
const { compileMachines } = await import('./byte-machines.mjs')
await generateClient()
await compileMachines()
rmSync(REPORTS, { recursive: true, force: true })

const env = { TZ: 'UTC' }
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${UNIT}`]
const unitTests = runTool('vitest/vitest.mjs', ['run', ...reporters, ...args], { env })
// Unit tests that need something of the build wait for it (the library) or make it themselves; many of them wait for
// processes and clocks.
const preparing = args.length === 0 ? prepareBrowserTests() : null
await Promise.allSettled([unitTests, preparing])
const unitCode = await unitTests
const totals = unitTotals()
let failed = unitCode !== 0

if (preparing !== null) {
  const browser = await preparing
  const code = await runTool('@playwright/test/cli.js', ['test'], {
    env: { ...env, PLIMSOLL_BROWSER: browser, PLIMSOLL_BROWSER_REPORT: BROWSER },
  })
  const more = browserTotals()
  totals.passed += more.passed
  totals.failed += more.failed
  totals.skipped += more.skipped
  failed ||= code !== 0
}

/** Failed tests once more at the end, where the log is read first. */
function sayFailures() {
  const unit = /** @type {UnitReport | null} */ (read(UNIT))
  const browser = /** @type {BrowserReport | null} */ (read(BROWSER))
  const all = [...(unit ? unitFailures(unit) : []), ...(browser ? browserFailures(browser) : [])]
  for (const { title, words } of all) say(`\nFAILED ${title}\n${words}`)
}

if (failed && totals.failed === 0) totals.failed = 1
if (failed) sayFailures()
if (totals.skipped > 0) say(`${totals.skipped} skipped`)
say(`${totals.passed} passed, ${totals.failed} failed`)
process.exitCode = totals.failed === 0 ? 0 : 1
