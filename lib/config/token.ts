import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from '../core/words/reason-of'
import { ensureStateFolder } from './paths'

/** 256 bits: no one can guess it. */
const TOKEN_BYTES = 32

/** 192 bits, for a code that is used once and within an hour. */
const CODE_BYTES = 24

/** The token of a state folder cannot be used; the message says what to do. */
export class TokenError extends Error {
  readonly code = 'TOKEN'
}

/** Where the token of a state folder is. */
export function tokenFile(home: string): string {
  return join(home, 'token')
}

/** The code of a new sign-in link; who checks it keeps its hash. */
export function newSignInCode(): string {
  return randomBytes(CODE_BYTES).toString('base64url')
}

/** What is kept of a session id or a code: SHA-256 in hex. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/**
 * Makes the token of a state folder at the first start, for its owner's eyes only; later it is read.
 * @param link how a file gets a second name
 * @throws TokenError
 */
export function ensureToken(home: string, link: typeof linkSync = linkSync): string {
  ensureStateFolder(home)
  const known = readToken(home)
  if (known !== null) return known
  const file = tokenFile(home)
  const fresh = join(home, `.token-${randomBytes(8).toString('hex')}.tmp`)
  try {
    writeFileSync(fresh, `${randomBytes(TOKEN_BYTES).toString('base64url')}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    })
    takeName(fresh, file, link)
  } catch (error) {
    throw asTokenError(file, error)
  } finally {
    rmSync(fresh, { force: true })
  }
  const made = readToken(home)
  if (made === null) throw new TokenError(`The token ${file} was taken away while it was made. Start again.`)
  return made
}

/** Two that start at once agree on the one that comes first. */
function takeName(fresh: string, file: string, link: typeof linkSync): void {
  try {
    link(fresh, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return
    // A file system without hard links.
    renameSync(fresh, file)
  }
}

/** The token of a state folder; null when there is none yet. @throws TokenError when it is no secret, or no token */
export function readToken(home: string): string | null {
  const file = tokenFile(home)
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw asTokenError(file, error)
  }
  try {
    const info = fstatSync(descriptor)
    const own = process.geteuid?.()
    if (!info.isFile())
      throw new TokenError(`The token ${file} is not a file. Remove it; the next start makes another.`)
    if (own !== undefined && (info.uid !== own || (info.mode & 0o077) !== 0)) {
      throw new TokenError(
        `The token ${file} can be read by other accounts, so that it is none any more. Remove it; the next start makes another.`,
      )
    }
    const token = readFileSync(descriptor, 'utf8').trim()
    if (!/^[\x21-\x7e]{16,}$/.test(token)) {
      throw new TokenError(`The token ${file} is damaged. Remove it; the next start makes another.`)
    }
    return token
  } finally {
    closeSync(descriptor)
  }
}

function asTokenError(file: string, error: unknown): TokenError {
  return new TokenError(`The token ${file} cannot be used: ${reasonOf(error)}.`)
}
