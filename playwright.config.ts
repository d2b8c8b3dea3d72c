import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

// The runner loads this file once, each worker again: what the first one chose is handed down in the environment.
const port = Number(process.env.PLIMSOLL_E2E_PORT ?? '4757')
const home = process.env.PLIMSOLL_E2E_HOME ?? mkdtempSync(join(tmpdir(), 'plimsoll-e2e-'))
Object.assign(process.env, { PLIMSOLL_E2E_PORT: String(port), PLIMSOLL_E2E_HOME: home })
const report = process.env.PLIMSOLL_BROWSER_REPORT

const server = (atPort: number, folder: string, flags = '') => ({
  command: `node e2e/server.mjs ${atPort} ${JSON.stringify(join(home, folder))} ${flags}`,
  url: `http://127.0.0.1:${atPort}/`,
  timeout: 60_000,
  gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 8_000 },
  stdout: 'pipe' as const,
})

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
  // See e2e/addresses.ts. The real command on the demo store, and once more where no store is found at all.
  webServer: [server(port, 'demo'), server(port + 1, 'empty', '--empty')],
})
