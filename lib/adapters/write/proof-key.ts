import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Milliseconds } from '../../core/units/units'
import { reasonOf } from '../../core/words/reason-of'
import { errorCode, kindOf } from '../files/regular-file'

/** The key lies in the state folder, beside what it proves. */
const FILE = 'proof.key'

export function keyPath(home: string): string {
  return join(home, FILE)
}

/** Length of the key. Bytes; as long as what HMAC-SHA256 gives out (RFC 2104, 3). */
const KEY_BYTES = 32

/** Proves to a holder of its key that this installation wrote something. */
export type Prover = {
  /** Tells keys apart and gives nothing of one away. Hex. */
  readonly keyId: string
  /** When the key was made; what claims to be newer has to be signed. Milliseconds since the epoch. */
  readonly since: number
  /**
   * HMAC-SHA256 in hex.
   * @param purpose what the text is, so that a proof of one thing is none of another
   */
  sign(purpose: string, text: string): string
  /** Compared in the same time wherever they differ. */
  verify(purpose: string, text: string, mac: string): boolean
}

export function prover(key: Uint8Array, since: number): Prover {
  const sign = (purpose: string, text: string) =>
    createHmac('sha256', key).update(`plimsoll ${purpose} 1\n`).update(text).digest()
  return {
    keyId: createHash('sha256').update('plimsoll key\n').update(key).digest('hex').slice(0, 16),
    since,
    sign: (purpose, text) => sign(purpose, text).toString('hex'),
    verify: (purpose, text, mac) =>
      /^[0-9a-f]{64}$/.test(mac) && timingSafeEqual(sign(purpose, text), Buffer.from(mac, 'hex')),
  }
}

/**
 * The key of a state folder; null when none was made yet. One that others can read is closed to them.
 * @throws Error that says what lies there instead, and what to do
 */
export function findProofKey(home: string): Prover | null {
  const path = keyPath(home)
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null
    throw unusable(path, errorCode(error) === 'ELOOP' ? 'it is a symbolic link' : reasonOf(error))
  }
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) throw unusable(path, `it is ${kindOf(stat)}`)
    const [hex = '', since = ''] = readFileSync(fd, 'latin1').split('\n')
    const at = Date.parse(since)
    if (!/^[0-9a-f]{64}$/.test(hex) || Number.isNaN(at)) throw unusable(path, 'it holds no key')
    // Windows has neither owners nor such bits.
    const own = process.geteuid?.()
    if (own !== undefined) {
      if (stat.uid !== own) throw unusable(path, `it belongs to another account (number ${stat.uid})`)
      if ((stat.mode & 0o022) !== 0) throw unusable(path, 'other accounts could write it')
      if ((stat.mode & 0o077) !== 0) fchmodSync(fd, 0o600)
    }
    return prover(Buffer.from(hex, 'hex'), at)
  } finally {
    closeSync(fd)
  }
}

/** The same, made at its first use: random, for its owner alone, whole or not at all. */
export function ensureProofKey(home: string, now: Milliseconds): Prover {
  const known = findProofKey(home)
  if (known !== null) return known
  const path = keyPath(home)
  const fresh = `${path}.${randomBytes(8).toString('hex')}.tmp`
  const fd = openSync(fresh, 'wx', 0o600)
  try {
    try {
      writeSync(fd, `${randomBytes(KEY_BYTES).toString('hex')}\n${new Date(now).toISOString()}\n`)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    takeName(fresh, path)
  } finally {
    rmSync(fresh, { force: true })
  }
  const made = findProofKey(home)
  if (made === null) throw unusable(path, 'it has gone again')
  return made
}

/** Another process may be making one at the same moment; the first one counts for all. */
function takeName(fresh: string, path: string): void {
  try {
    linkSync(fresh, path)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return
    // A file system without hard links.
    renameSync(fresh, path)
  }
}

function unusable(path: string, why: string): Error {
  return new Error(
    `The key ${path}, with which receipts are signed, cannot be used: ${why}. Move it away; a new one is made, and what was signed with the old one counts as not proved.`,
  )
}
