import { withFullStop } from '../../core/words/full-stop'
import type { LockOwner } from './lock-ports'
import type { WriteRefusal } from './receipt'

/** Ends a write that must not happen; turned into a result where the write began. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly refusal: WriteRefusal

  constructor(code: WriteRefusal['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.refusal = { code, message }
  }
}

const NO_SPACE = ['ENOSPC', 'EDQUOT', 'EFBIG']
const NOT_ALLOWED = ['EACCES', 'EPERM', 'EROFS']

/** The code of a file-system error, e.g. `EACCES`; null for other errors. */
export function systemCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  return typeof error.code === 'string' && /^E[A-Z0-9]+$/.test(error.code) ? error.code : null
}

/** What the file system said, as a reason to refuse; other errors are faults and come back as they are. */
export function asRefused(error: unknown, path: string): unknown {
  const code = systemCode(error)
  if (error instanceof Refused || code === null) return error
  const said = error instanceof Error ? error.message : code
  if (NO_SPACE.includes(code)) {
    return new Refused('no-space', `${path}: the disk is full (${said}). Make room and try again.`, {
      cause: error,
    })
  }
  if (NOT_ALLOWED.includes(code)) {
    return new Refused(
      'read-only',
      `${path}: writing is not allowed (${said}). Change the mode or the mount, or run Plimsoll as a user who may.`,
      { cause: error },
    )
  }
  if (code === 'ENOENT') return new Refused('missing', `${path} is not there (any more).`, { cause: error })
  if (code === 'ELOOP') {
    return new Refused('not-a-file', `${path} is a symbolic link that leads round in a circle.`, {
      cause: error,
    })
  }
  if (code === 'EXDEV') {
    return new Refused(
      'not-supported',
      `${path}: its folder spans two file systems (${said}), so it cannot be replaced in one step.`,
      { cause: error },
    )
  }
  return new Refused('failed', `${path} cannot be written: ${withFullStop(said)}`, { cause: error })
}

/** Who is in the way, since when, and how that is known. */
export function describeOwner(owner: LockOwner): string {
  if (owner.via === 'recent') return owner.evidence
  const who = owner.pid === null ? 'another process' : `process ${owner.pid}`
  const command = owner.command === null ? '' : ` (${owner.command})`
  const since = owner.since === null ? '' : ` since ${new Date(owner.since).toISOString()}`
  return `${who}${command}${since}, as ${owner.evidence} tells`
}
