// @ts-check
// Entry of `npm run fuzz [-- CASES]`: databases, archives and settings that are damaged at random, many more than `npm test` tries.
import { ensureDependencies } from './dependencies.mjs'
import { runTool } from './project.mjs'

const CASES = '5000'

await ensureDependencies()
const env = { PLIMSOLL_FUZZ: process.argv[2] ?? CASES }
process.exitCode = await runTool('vitest/vitest.mjs', ['run', 'lib/testing/hostile/fuzz.test.ts'], { env })
