import { randomUUID } from 'node:crypto'
import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import type { Milliseconds } from '../core/units/units'
import { ensureStateFolder } from './paths'

/** A settings file in a working folder that the operator has looked at. */
export type TrustedFile = {
  /** Its folder's real path, and its name. */
  readonly path: string
  /** SHA-256 of its text, in hex. */
  readonly hash: string
  /** Milliseconds since 1970. */
  readonly trustedAt: number
}

const shape = z.object({
  files: z.array(z.object({ path: z.string(), hash: z.string(), trustedAt: z.number() })),
})

/** Where the state folder keeps what is trusted. */
export function trustFile(home: string): string {
  return join(home, 'trusted.json')
}

/**
 * The files that are trusted, newest first. A list that other accounts could have written, or that cannot be read,
 * trusts nothing.
 */
export function readTrusted(home: string): readonly TrustedFile[] {
  try {
    const info = statSync(trustFile(home))
    const own = process.geteuid?.()
    if (own !== undefined && (info.uid !== own || (info.mode & 0o022) !== 0)) return []
    return shape.parse(JSON.parse(readFileSync(trustFile(home), 'utf8'))).files
  } catch {
    return []
  }
}

/** Whether the operator trusts the file at `path` with exactly the text of this hash. */
export function isTrusted(home: string, path: string, hash: string): boolean {
  const real = realPlace(path)
  return readTrusted(home).some((file) => file.path === real && file.hash === hash)
}

/** Whether the operator has trusted the file at `path` at some time, whatever it says now. */
export function trustedPath(home: string, path: string): boolean {
  const real = realPlace(path)
  return readTrusted(home).some((file) => file.path === real)
}

/** Trusts the file at `path` with the text of this hash, and with no other. @throws StateFolderError */
export function addTrust(home: string, path: string, hash: string, now: Milliseconds): TrustedFile {
  const file = { path: realPlace(path), hash, trustedAt: now }
  write(home, [file, ...readTrusted(home).filter((other) => other.path !== file.path)])
  return file
}

/** Trusts the file at `path` no more; false when it was not trusted. @throws StateFolderError */
export function revokeTrust(home: string, path: string): boolean {
  const real = realPlace(path)
  const all = readTrusted(home)
  const rest = all.filter((file) => file.path !== real)
  if (rest.length === all.length) return false
  write(home, rest)
  return true
}

function write(home: string, files: readonly TrustedFile[]): void {
  ensureStateFolder(home)
  const fresh = join(home, `.trusted-${randomUUID()}.tmp`)
  try {
    writeFileSync(fresh, `${JSON.stringify({ files }, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true })
    renameSync(fresh, trustFile(home))
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}

/** The folder may be reached by several names; the file itself may be a link, whose text is what is trusted. */
function realPlace(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path))
  } catch {
    return path
  }
}
