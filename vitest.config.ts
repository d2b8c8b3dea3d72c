import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { COMPILE_LATER } from './lib/cli/compile-later.cjs'

/**
 * Files whose tests start processes come first, the others as always, the largest first: small files that take long
 * would be the last ones, with nothing left to do beside them.
 */
class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const starts = new Set(
      sorted.filter((file) =>
        /bundleChild|compileMachine|child_process/.test(readFileSync(file.moduleId, 'utf8')),
      ),
    )
    return [...starts, ...sorted.filter((file) => !starts.has(file))]
  }
}

export default defineConfig({
  resolve: {
    alias: {
      '@': fileURLToPath(new URL('.', import.meta.url)).replace(/[\\/]$/, ''),
      // A mark for Next's bundler; there is no module of this name to load.
      'server-only': 'next/dist/compiled/server-only/empty.js',
    },
  },
  test: {
    include: ['{app,components,lib,prisma}/**/*.test.{ts,tsx}'],
    env: { TZ: 'UTC' },
    // Two cores are what small machines have; a tenth of the time tests wait for processes and clocks.
    maxWorkers: 3,
    // Most of what a test does is done once. With room for young objects (MB) a fifteenth of the processor time less.
    execArgv: [...COMPILE_LATER, '--max-semi-space-size=64'],
    sequence: { sequencer: ProcessesFirst },
    // For what hangs: on a machine with other work everything takes its time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Three processes for all files, which load each module once. So no test replaces a module (vi.mock): what others have
    // loaded stays. Spies and variables are put back after each test.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
  },
})
