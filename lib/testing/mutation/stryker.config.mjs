// @ts-check
// How mutants are made and run; `npm run mutate` adds what is mutated and where results lie.
import { readdirSync } from 'node:fs'

/** Only what the tests read is copied; the copy is made anew for each folder. */
export const COPIED = ['lib', 'prisma', 'package.json', 'package-lock.json']

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  plugins: ['@stryker-mutator/vitest-runner', './lib/testing/mutation/plugins.mjs'],
  // Related tests would be looked up for every mutant anew, which takes longer than to run them.
  vitest: { configFile: './lib/testing/mutation/vitest.config.ts', related: false },
  ignorers: ['messages', 'sample'],
  // A static mutant changes a value made while a module loads; each would need all tests in a fresh process.
  ignoreStatic: true,
  coverageAnalysis: 'perTest',
  incremental: true,
  concurrency: 2,
  dryRunTimeoutMinutes: 30,
  // Endless loops are cut by the count of hits; this only waits for what hangs, and must not fire on a busy machine.
  timeoutMS: 20_000,
  timeoutFactor: 1.5,
  ignorePatterns: readdirSync('.').flatMap((name) => (COPIED.includes(name) ? [] : `/${name}`)),
  // None: the compiler that the preprocessor asks for has no programming interface any more, and no path needs rewriting.
  tsconfigFile: 'none.json',
  reporters: ['html', 'progress-append-only'],
  thresholds: { high: 90, low: 80, break: null },
  allowConsoleColors: false,
  disableTypeChecks: false,
}
