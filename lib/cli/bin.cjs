#!/usr/bin/env node
// @ts-check
// What `plimsoll` and `context-manager` start: the bundle, or a word on how to make it. CommonJS, as setting up the
// loader of modules takes as long as many a verb does.
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { endWithNpm } = require('./end-with-npm.cjs')
const { loadScript } = require('./load-script.cjs')

const root = join(__dirname, '..', '..')
const bundle = join(root, 'dist', 'cli', 'plimsoll.cjs')

async function start() {
  endWithNpm()
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

/** Signals that ask a process to end, with the exit code for the end by each. */
const SIGNALS = /** @type {const} */ ({ SIGINT: 130, SIGTERM: 143 })

/** A terminal sends to the whole group, and the end of npm counts as a signal: that is one wish to end. Milliseconds. */
const ONE_WISH = 1000

/**
 * Until a verb asks for this, a signal ends the process as it ends any other. From then on the first one lets the verb
 * end in good order, and another one ends it at once, with its children.
 */
function untilStopped() {
  const controller = new AbortController()
  let first = 0
  const stop = () => controller.abort()
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      // Of a child, the Plimsoll that started it sees to that.
      if (first !== 0 && !process.env.PLIMSOLL_CHILD && Date.now() - first > ONE_WISH) process.exit(code)
      first ||= Date.now()
      stop()
    })
  }
  // Started by another Plimsoll, standard input is a pipe that ends with it, however it ends.
  if (process.env.PLIMSOLL_CHILD) process.stdin.resume().on('end', stop).on('error', stop)
  return controller.signal
}

void start()
