import { defineConfig } from '@playwright/test'

const report = process.env.PLIMSOLL_BROWSER_REPORT

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/browser',
  // Files, not tests, are dealt out: what a file needs is started in one worker. See e2e/world.ts.
  workers: 2,
  // Limits are for what hangs: on a machine with other work everything takes its time.
  timeout: 240_000,
  expect: { timeout: 45_000 },
  reporter: report ? [['list'], ['json', { outputFile: report }]] : 'list',
  use: {
    timezoneId: 'UTC',
    locale: 'en-GB',
    // Tests whose contexts have the same options use one after the other, emptied between them: what pages load and
    // compile is kept then.
    reuseContext: true,
    // Nothing moves by itself: what animates is drawn sixty times a second, and a test that clicks waits for its end.
    contextOptions: { reducedMotion: 'reduce' },
    // Keeping all that pages did and loaded takes a tenth of the whole run, and a failed test says how its page looked
    // in the end. One file with all of it: npx playwright test e2e/x.spec.ts --trace=retain-on-failure
    trace: 'off',
    launchOptions: {
      executablePath: process.env.PLIMSOLL_BROWSER || undefined,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
