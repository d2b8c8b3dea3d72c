import type { FoundStore, FoundTranscript } from '../read/ports'
import { uncheckedReason } from '../write/writable'
import type { WriteTarget } from '../write/write-requests'
import { writeRoot } from '../write/write-root'

/** Where a transcript can be repaired, or why it is only read and what to do instead. */
export type RepairTarget =
  | { readonly kind: 'file'; readonly target: WriteTarget }
  /** `headless`: the same for a transcript that has no header. */
  | { readonly kind: 'read-only'; readonly why: string; readonly headless: string }

/** Plain files are repaired in place; OpenClaw's databases are its own, and archives are left as they are. */
export function repairTarget(
  store: Pick<FoundStore, 'era' | 'kind' | 'root'>,
  transcript: Pick<FoundTranscript, 'path'>,
): RepairTarget {
  const { path } = transcript
  const unchecked = uncheckedReason(store)
  if (unchecked !== null) return { kind: 'read-only', why: unchecked, headless: unchecked }
  if (store.era === 'sqlite') return { kind: 'read-only', why: DATABASE_ADVICE, headless: HEADER_ADVICE }
  if (!PLAIN_FILE.test(path)) return { kind: 'read-only', why: ARCHIVE_ADVICE, headless: ARCHIVE_ADVICE }
  return {
    kind: 'file',
    target: { file: path, root: writeRoot(store, transcript), kind: store.kind },
  }
}

/** A transcript, or one that was set aside; none that is compressed. */
const PLAIN_FILE = /\.jsonl(?:\.(?!.*\.zst$)[^/\\]+)?$/

const DATABASE_ADVICE =
  'OpenClaw keeps this session in its database, which it alone writes, and has no command that repairs entries there: findings are shown. It puts broken calls and results right each time it sends them; "openclaw sessions compact KEY", or /new, leaves them behind.'

/** What OpenClaw can do about a transcript of its database that has no header, and what that takes. */
const HEADER_ADVICE =
  'The header of a transcript in its database is written by OpenClaw itself ("openclaw doctor --fix"), which also applies all of its other safe repairs to configuration and registries, and has no dry run of them for programs.'

const ARCHIVE_ADVICE = 'It is no plain transcript file but an archive. Unpack a copy of it and repair that.'
