#!/usr/bin/env node
// @ts-check
// What `plimsoll` and `context-manager` start: the bundle, or a word on how to make it. CommonJS, as setting up the
// loader of modules takes as long as many a verb does.
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { loadScript } = require('./load-script.cjs')

const root = join(__dirname, '..', '..')
const bundle = join(root, 'dist', 'plimsoll.cjs')

async function start() {
  if (!existsSync(bundle)) {
    process.stderr.write('plimsoll is not built yet. Run: npm ci && npm run build (or: npm start)\n')
    process.exitCode = 5
    return
  }
  const { main } = loadScript(bundle)
  const code = await main({
    argv: process.argv.slice(2),
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    cwd: process.cwd(),
    root,
    untilStopped,
  })
  // All is written by now. Taking the process apart in good order would take as long again.
  process.exit(code)
}

function untilStopped() {
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.on('SIGINT', stop).on('SIGTERM', stop)
  // Started by another Plimsoll, standard input is a pipe that ends with it, however it ends.
  if (process.env.PLIMSOLL_CHILD) process.stdin.resume().on('end', stop).on('error', stop)
  return controller.signal
}

void start()
