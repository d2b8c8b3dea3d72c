// @ts-check
// Entry of `npm run check`: format and lint, types, import arrows and rings. All run, so that one look shows everything.
import { ensureDependencies } from './dependencies.mjs'
import { root, runTool, say } from './project.mjs'

await ensureDependencies()
const { generateClient } = await import('./build.mjs')
await generateClient()

const tools = /** @type {const} */ ([
  ['format and lint', '@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']],
  // Types of routes and their parameters, which a build would leave behind; a fresh clone has none.
  ['types of routes', 'next/dist/bin/next', ['typegen']],
  ['types', 'typescript/bin/tsc', ['--noEmit']],
])
let bad = 0
for (const [name, script, args] of tools) {
  const code = await runTool(script, args)
  say(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}`)
  if (code !== 0) bad++
}

const { checkImports } = await import('./imports.mjs')
const { files, findings } = checkImports(root)
for (const finding of findings) say(finding)
say(`${findings.length === 0 ? 'ok  ' : 'FAIL'} imports of ${files} files`)
if (findings.length > 0) bad++
process.exitCode = bad === 0 ? 0 : 1
