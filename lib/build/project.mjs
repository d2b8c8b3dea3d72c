// @ts-check
// The checkout and the ways in which the set-up scripts run things in it. Plain Node: nothing may be installed yet.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Absolute path of the checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** @param {string} text */
export function say(text) {
  process.stdout.write(`${text}\n`)
}

/**
 * Runs a command with our own terminal and answers its exit code; a death by signal counts as 128 + its number.
 * Ctrl-C reaches the child as well; we wait for its own end, and end then too. A second one ends both at once.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string | undefined>, quiet?: boolean }} [options] `quiet` keeps the output until it
 *   fails.
 * @returns {Promise<number>}
 */
export function run(command, args, options = {}) {
  const { promise, resolve, reject } = withResolvers()
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...options.env },
    stdio: options.quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
  })
  /** @type {Buffer[]} */
  const output = []
  child.stdout?.on('data', (chunk) => output.push(chunk))
  child.stderr?.on('data', (chunk) => output.push(chunk))
  let askedAt = 0
  /** @type {NodeJS.Signals | null} */
  let asked = null
  const forward = (/** @type {NodeJS.Signals} */ signal) => {
    if (asked !== null && Date.now() - askedAt > ONE_WISH) {
      child.kill('SIGKILL')
      process.exit(codeOf(signal))
    }
    asked ??= signal
    askedAt ||= Date.now()
    // A terminal sends SIGINT to the whole group already; a second one would look like impatience.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  process.on('SIGINT', forward).on('SIGTERM', forward)
  child.on('error', reject)
  child.on('close', (code, signal) => {
    process.off('SIGINT', forward).off('SIGTERM', forward)
    // After a request to end nothing more is wanted.
    if (asked !== null) process.exit(codeOf(asked))
    const result = code ?? codeOf(signal)
    if (result !== 0) process.stderr.write(Buffer.concat(output))
    resolve(result)
  })
  return promise
}

/**
 * A terminal sends to the whole group, and the end of npm counts as a signal: that is one wish to end. Milliseconds.
 */
const ONE_WISH = 1000

/** @param {NodeJS.Signals | null} signal */
function codeOf(signal) {
  return 128 + (signal === 'SIGINT' ? 2 : signal === 'SIGTERM' ? 15 : 9)
}

/**
 * Runs a script of an installed package with this Node, which works the same on every system.
 * @param {string} script path below node_modules
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export function runTool(script, args, options) {
  return run(process.execPath, [`${root}/node_modules/${script}`, ...args], options)
}

/**
 * Runs npm. Started by it, we know its own script; that avoids a shell, which Windows would need for npm.cmd.
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export function runNpm(args, options) {
  const npm = process.env.npm_execpath
  return npm?.endsWith('.js') ? run(process.execPath, [npm, ...args], options) : run('npm', args, options)
}

/** @returns {{ promise: Promise<number>, resolve: (code: number) => void, reject: (error: Error) => void }} */
function withResolvers() {
  /** @type {(code: number) => void} */
  let resolve = () => {}
  /** @type {(error: Error) => void} */
  let reject = () => {}
  const promise = new Promise((/** @type {(code: number) => void} */ yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
