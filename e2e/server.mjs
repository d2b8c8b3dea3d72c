// @ts-check
// A dashboard for the browser tests: the real command with a state folder of its own. Stores are the
// demo and, in a known place, a hostile one; with `--empty` there is none at all.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeHostileStore } from './hostile-store.mjs'

const [port = '', home = '', ...flags] = process.argv.slice(2)
const bin = fileURLToPath(new URL('../lib/cli/bin.cjs', import.meta.url))
mkdirSync(home, { recursive: true })
/** @type {NodeJS.ProcessEnv} */
const env = { ...process.env, HOME: home, PLIMSOLL_HOME: join(home, 'state') }
for (const name of [
  'XDG_STATE_HOME',
  'XDG_CONFIG_HOME',
  'PLIMSOLL_STORES',
  'PLIMSOLL_CONFIG',
  'DATABASE_URL',
])
  delete env[name]
for (const name of [
  'OPENCLAW_STATE_DIR',
  'OPENCLAW_HOME',
  'PI_CODING_AGENT_DIR',
  'PLIMSOLL_TOKEN',
  'PLIMSOLL_HOST',
])
  delete env[name]

if (!flags.includes('--empty')) {
  writeHostileStore(home)
  const { status } = spawnSync(process.execPath, [bin, 'demo'], { env, cwd: home, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
const child = spawn(process.execPath, [bin, 'serve', '--port', port], { env, cwd: home, stdio: 'inherit' })
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.on(signal, () => child.kill(signal))
child.on('exit', (code) => {
  process.exitCode = code ?? 1
})
