import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** An absolute path; `~/` at its beginning is the home folder, as policies write it. */
export function homePath(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : resolve(path)
}
