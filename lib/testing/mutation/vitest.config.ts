import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '')

/** Which tests run is chosen by `npm run mutate`: those of the floor that is mutated, then those of the floors above. */
const tests = process.env.MUTATION_TESTS ?? 'lib/{core,engine,agent,compose}/**/*.test.ts'

export default defineConfig({
  root,
  resolve: { alias: { '@': root } },
  test: {
    include: [tests],
    exclude: (process.env.MUTATION_TESTS_LEFT_OUT ?? '').split(' ').filter(Boolean),
    env: { TZ: 'UTC' },
    // One worker keeps its modules from file to file; loading them anew for each mutant took most of the time.
    isolate: false,
    setupFiles: [`${root}/lib/testing/mutation/fewer-cases.ts`],
    // Several times what the slowest needs: what hangs is Stryker's to end, and a busy machine is no mutant.
    testTimeout: 120_000,
  },
})
