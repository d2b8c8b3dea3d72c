// @ts-check
// npm and npx run a command in a shell. Asked to end, they pass that on to the shell, which ends without telling the
// command. So the command looks whether its parent is still the same.
const { readFileSync } = require('node:fs')

/** How soon the end of npm is noticed. Milliseconds. */
const LOOK_MS = 1000

let watching = false

/** Started by `npm start` or npx, ends like one that was sent SIGTERM when that is gone. */
function endWithNpm() {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = '' } = process.env
  // Both are handed on to whatever the command starts in turn, which may be meant to outlive it.
  const isOurs =
    script.includes('build/start.mjs') || (event === 'npx' && /plimsoll|context-manager/.test(script))
  // Windows keeps the number of a parent that is gone.
  if (watching || !isOurs || process.env.PLIMSOLL_CHILD || process.platform === 'win32') return
  watching = true
  const parent = process.ppid
  let isGone = isOther(parent)
  const timer = setInterval(() => {
    // Once the parent was npm, its number alone tells: a process gets another parent only when its own is gone.
    isGone ||= process.ppid !== parent
    if (!isGone) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, LOOK_MS)
  timer.unref()
}

/**
 * Whether the parent is neither npm nor its shell but whoever takes in processes without one: then both were gone before
 * we could look. Only Linux tells.
 * @param {number} pid
 */
function isOther(pid) {
  try {
    return !/npm|npx|plimsoll|context-manager|start\.mjs/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  } catch {
    return false
  }
}

module.exports = { endWithNpm }
