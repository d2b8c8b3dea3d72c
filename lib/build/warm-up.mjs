// @ts-check
// Runs some verbs over the demo, so that what V8 compiles for them is kept beside their bundles.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { keepCompiled, loadScript } from '../cli/load-script.cjs'
import { root } from './project.mjs'

const bundle = process.argv[2] ?? ''
const home = mkdtempSync(join(tmpdir(), 'plimsoll-build-'))
try {
  const { main } = loadScript(bundle)
  let stdin = ''
  /** @param {string[]} argv @returns {Promise<string>} */
  const run = async (...argv) => {
    let text = ''
    const stdout = new Writable({
      write: (chunk, _encoding, done) => {
        text += chunk
        done()
      },
    })
    const env = { PLIMSOLL_HOME: home, PLIMSOLL_STORES: store }
    const stderr = new Writable({ write: (_chunk, _encoding, done) => done() })
    const untilStopped = () => new AbortController().signal
    await main({ argv, env, stdin: Readable.from([stdin]), stdout, stderr, cwd: home, root, untilStopped })
    return text
  }
  let store = join(home, 'nothing')
  const { stores } = JSON.parse(await run('demo', '--json'))
  for (const { path } of stores) {
    store = path
    const { sessions } = JSON.parse(await run('sessions', '--json'))
    for (const { id, file } of sessions.slice(0, 3)) {
      await run('status', id, '--json')
      await run('context', id, '--json')
      await run('compact', id, '--dry-run', '--json')
      await run('repair', file, '--check', '--json')
      stdin = JSON.stringify({ transcript_path: file, model: { id: 'claude-sonnet-4-5' } })
      await run('statusline')
    }
  }
  await run('ingest', '--json')
  keepCompiled()
} finally {
  rmSync(home, { recursive: true, force: true })
}
process.exit()
