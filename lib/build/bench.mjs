// @ts-check
// Entry of `npm run bench`: measures the built product on its own stores. Arguments choose parts by name.
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ensureDependencies } from './dependencies.mjs'
import { root, run } from './project.mjs'

// The limits are for two cores; a larger machine must not flatter us.
const CORES = 2
const names = process.argv.slice(2)
if (availableParallelism() > CORES && spawnSync('taskset', ['--version']).status === 0) {
  const cores = Array.from({ length: CORES }, (_, i) => i).join(',')
  process.exit(
    await run('taskset', ['-c', cores, process.execPath, fileURLToPath(import.meta.url), ...names]),
  )
}

await ensureDependencies()
const { findBrowser } = await import('./browser.mjs')
process.env.PLIMSOLL_BROWSER ??= (await findBrowser()) ?? ''
const { buildAll, COMMON_BUILD } = await import('./build.mjs')
await buildAll()
const { build } = await import('esbuild')
const outfile = join(root, 'node_modules', '.cache', 'plimsoll', 'bench.mjs')
await build({ ...COMMON_BUILD, entryPoints: ['lib/testing/bench/main.ts'], outfile })
const { runBenches } = await import(pathToFileURL(outfile).href)
process.exitCode = (await runBenches(root, names)) ? 0 : 1
