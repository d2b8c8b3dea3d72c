// @ts-check
// Entry of `npm run fuzz [-- CASES]`: what is tried at random, many more times than `npm test` tries it. Databases, archives
// and settings are damaged CASES times each, properties get a multiple of their cases, and processes that write are killed
// again and again.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDependencies } from './dependencies.mjs'
import { root, runTool } from './project.mjs'

const cases = Number(process.argv[2] ?? 5000)

/** What a test reads that has a longer run. */
const LONGER = /PLIMSOLL_(FUZZ|KILLS|FORM_CASES)\b|\bruns\(\d/

const files = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('lib', name))
  .filter((name) => LONGER.test(readFileSync(join(root, name), 'utf8')))

await ensureDependencies()
const env = {
  PLIMSOLL_FUZZ: String(cases),
  PLIMSOLL_TIMES: String(Math.ceil(cases / 250)),
  PLIMSOLL_KILLS: String(Math.ceil(cases / 25)),
  PLIMSOLL_FORM_CASES: String(cases),
}
process.exitCode = await runTool('vitest/vitest.mjs', ['run', '--testTimeout=86400000', ...files], { env })
