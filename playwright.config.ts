import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

// The runner loads this file once, each worker again: what the first one chose is handed down in the environment.
const port = process.env.PLIMSOLL_E2E_PORT ?? '4757'
const home = process.env.PLIMSOLL_E2E_HOME ?? mkdtempSync(join(tmpdir(), 'plimsoll-e2e-'))
Object.assign(process.env, { PLIMSOLL_E2E_PORT: port, PLIMSOLL_E2E_HOME: home })
const report = process.env.PLIMSOLL_BROWSER_REPORT

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/browser',
  fullyParallel: true,
  workers: 2,
  timeout: 30_000,
  reporter: report ? [['list'], ['json', { outputFile: report }]] : 'list',
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    timezoneId: 'UTC',
    locale: 'en-GB',
    trace: 'retain-on-failure',
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
  webServer: {
    // The real command, on a generated store and with a state folder of its own.
    command: 'node e2e/server.mjs',
    url: `http://127.0.0.1:${port}/`,
    timeout: 60_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
    stdout: 'pipe',
    env: { PLIMSOLL_E2E_PORT: port, PLIMSOLL_E2E_HOME: home },
  },
})
