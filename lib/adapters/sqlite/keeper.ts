import path from 'node:path'

/** Whose a database is by its name, and what mends it. */
type Keeper = { readonly name: string; readonly mends: string }

const OPENCLAW: Keeper = { name: 'OpenClaw', mends: 'run "openclaw doctor", or restore it from a backup' }
const OPENCODE: Keeper = { name: 'OpenCode', mends: 'restore it from a backup' }

/** `opencode.db` is OpenCode's, every other one OpenClaw's. */
export function keeperOf(file: string): Keeper {
  return path.basename(file).startsWith('opencode') ? OPENCODE : OPENCLAW
}
