// @ts-check
// Entry of `npm run check`: format and lint, types, compiled modules, import arrows and rings. All run, so that one pass shows everything.
import { ensureDependencies } from './dependencies.mjs'
import { root, runTool, say } from './project.mjs'

await ensureDependencies()
const { generateClient } = await import('./build.mjs')
await generateClient()

const KNIP = ['--config', 'lib/build/knip.mjs', '--no-progress', '--no-config-hints', '--include']
const tools = /** @type {const} */ ([
  ['format and lint', '@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']],
  // Types of routes and their parameters, which a build would leave behind; a fresh clone has none.
  ['types of routes', 'next/dist/bin/next', ['typegen']],
  ['types', 'typescript/bin/tsc', ['--noEmit']],
  ['use by anything', 'knip/bin/knip.js', [...KNIP, 'files,exports,types,dependencies']],
  ['use by more than tests', 'knip/bin/knip.js', [...KNIP, 'files,exports,types', '--production']],
])
let bad = 0
for (const [name, script, args] of tools) {
  const code = await runTool(script, args)
  say(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}`)
  if (code !== 0) bad++
}

const { compiledFile, staleMachines } = await import('./byte-machines.mjs')
const stale = staleMachines()
for (const machine of stale) say(`${compiledFile(machine)} is older than its sources: run npm run build`)
say(`${stale.length === 0 ? 'ok  ' : 'FAIL'} byte machines`)
if (stale.length > 0) bad++

const { checkImports } = await import('./imports.mjs')
const { files, findings } = checkImports(root)
for (const finding of findings) say(finding)
say(`${findings.length === 0 ? 'ok  ' : 'FAIL'} imports of ${files.length} files`)
if (findings.length > 0) bad++

const { checkNames } = await import('./names.mjs')
const twice = checkNames(root, files)
for (const finding of twice) say(finding)
say(`${twice.length === 0 ? 'ok  ' : 'FAIL'} names, each exported once`)
if (twice.length > 0) bad++
process.exitCode = bad === 0 ? 0 : 1
