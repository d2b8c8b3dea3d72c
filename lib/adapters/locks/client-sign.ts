import type { ProcessTable } from './process-table'

/**
 * OpenClaw removes locks of living processes whose arguments do not look like its own, so while we have one, ours do.
 * The long name says who it is; the short one is for processes whose arguments leave no room for more.
 */
const CLIENT_SIGNS = ['plimsoll/openclaw', 'openclaw'] as const

/** Entry files that count only beside one of the two commands. */
const ENTRIES = ['dist/index.js', 'dist/entry.js', 'scripts/run-node.mjs', 'src/entry.ts', 'src/index.ts']

/** Whether OpenClaw 2026.7.1 takes a process with these arguments for its own. */
export function looksLikeClient(argv: readonly string[]): boolean {
  const words = argv.map((argument) => argument.trim().replaceAll('\\', '/').toLowerCase()).filter(Boolean)
  const program = (words[0] ?? '').replace(/\.(bat|cmd|exe)$/, '')
  if (program === 'openclaw' || /\/openclaw(-gateway)?$/.test(program)) return true
  if (words.some((word) => /(^|\/)openclaw(\.mjs)?$/.test(word))) return true
  const hasCommand = words.includes('gateway') || words.includes('agent')
  return hasCommand && words.some((word) => ENTRIES.some((entry) => word.endsWith(entry)))
}

/** Whether these are the arguments of a Plimsoll that has a lock. */
export function isOurSign(argv: readonly string[]): boolean {
  return argv.length === 1 && argv[0] === CLIENT_SIGNS[0]
}

/**
 * Makes this process look like a client until the returned function is called. Linux and macOS show a changed title in
 * place of the arguments; Windows does not, nor does a worker thread, and there a lock can still be taken from us
 * (which `stillHeld` notices).
 */
export function showClientSign(processes: ProcessTable): () => void {
  const before = processes.argv(processes.pid)
  if (before === null || looksLikeClient(before)) return () => undefined
  const title = before.join(' ')
  for (const sign of CLIENT_SIGNS) {
    process.title = sign
    if (looksLikeClient(processes.argv(processes.pid) ?? [])) break
  }
  return () => {
    process.title = title
  }
}
