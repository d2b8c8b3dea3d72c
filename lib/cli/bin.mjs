#!/usr/bin/env node
// What `plimsoll` and `context-manager` start: the bundle, or a word on how to make it.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const bundle = new URL('../../dist/plimsoll.js', import.meta.url)
if (existsSync(bundle)) {
  const { main } = await import(bundle.href)
  process.exitCode = await main({
    argv: process.argv.slice(2),
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    cwd: process.cwd(),
    root: fileURLToPath(new URL('../..', import.meta.url)),
  })
} else {
  process.stderr.write('plimsoll is not built yet. Run: npm ci && npm run build (or: npm start)\n')
  process.exitCode = 5
}
