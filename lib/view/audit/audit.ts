import { visibleLine } from '../text/visible-text'
import { type AuditCheckFacts, auditCheckText } from './audit-check'

/** Writes on one page of the list. */
export const AUDIT_PAGE_SIZE = 25

export type AuditTone = 'ok' | 'neutral' | 'attention' | 'danger'

export type AuditFileView = {
  readonly path: string
  /** What happened to it, in a word. */
  readonly change: 'changed' | 'made' | 'removed'
  /** SHA-256 in hex and size in bytes; null where there was or is no file. */
  readonly before: AuditBytes | null
  readonly after: AuditBytes | null
  readonly backup: string | null
}

export type AuditBytes = { readonly hash: string; readonly size: number }

export type AuditEntryView = WriteFacts & {
  readonly tone: AuditTone
  /** What the state means, in a sentence. */
  readonly meaning: string
  readonly files: readonly AuditFileView[]
  readonly facts: readonly { readonly name: string; readonly value: string }[]
  readonly canUndo: boolean
  /** Whether the receipt proves itself, where it does not: what that means, in sentences; null when it does. */
  readonly doubt: string | null
}

export type AuditView = {
  readonly total: number
  /** From 1. */
  readonly page: number
  readonly pages: number
  readonly entries: readonly AuditEntryView[]
  /** Where receipts and backups are kept. */
  readonly folder: string
  /** What the log of writes proves. */
  readonly log: { readonly ok: boolean; readonly lines: readonly string[] }
}

type FileFacts = { readonly size: number; readonly hash: string }

/** What is shown of a receipt as it is. Times in milliseconds. */
type WriteFacts = {
  readonly id: string
  readonly at: number
  readonly kind: string
  readonly actor: string
  readonly reason: string
  readonly session: string | null
  readonly state: string
  readonly problem: string | null
  readonly undoes: string | null
  readonly undoneBy: string | null
}

/** What the view needs of a receipt. */
export type AuditFacts = WriteFacts & {
  readonly verified: boolean
  /** Applied by OpenClaw's own command, in its database. */
  readonly by?: 'openclaw'
  readonly files: readonly {
    readonly path: string
    readonly before: FileFacts | null
    readonly after: FileFacts | null
    readonly backup: string | null
  }[]
  readonly summary: { readonly [name: string]: string | number | boolean | null }
  /** Left out where it was not checked: the action will check it. */
  readonly proof?: AuditProof
}

/** Whether the receipt of a write proves itself; see `ReceiptProof` of the engine. */
type AuditProof =
  | { readonly kind: 'proved' | 'older' }
  | { readonly kind: 'not-proved'; readonly why: string }

const STATES: { readonly [state: string]: { readonly tone: AuditTone; readonly meaning: string } } = {
  preparing: { tone: 'attention', meaning: 'Under way; the store is as it was.' },
  pending: {
    tone: 'attention',
    meaning: 'Under way; it is settled at the next start if it was interrupted.',
  },
  done: { tone: 'ok', meaning: 'Done: every file was read again and held what was meant.' },
  failed: { tone: 'danger', meaning: 'Nothing came of it.' },
  undone: { tone: 'neutral', meaning: 'Taken back since.' },
}

/** The same for a change by OpenClaw in its own database. */
const OUTSIDE: typeof STATES = {
  pending: { tone: 'attention', meaning: 'OpenClaw is at it.' },
  done: {
    tone: 'ok',
    meaning:
      'Done by OpenClaw: its database was read again and holds what was announced. It cannot be undone from here.',
  },
  failed: { tone: 'danger', meaning: 'Not done, or not seen to its end; the reason says which.' },
}

const NOT_BORNE_OUT = {
  tone: 'danger',
  meaning: 'OpenClaw was at it, and its database does not bear out what was announced.',
} as const

/** The page of all writes. `page` is corrected to one that exists. */
export function auditView(
  {
    total,
    receipts,
    folder,
    log,
  }: {
    readonly total: number
    readonly receipts: readonly AuditFacts[]
    readonly folder: string
    readonly log: AuditCheckFacts
  },
  page: number,
): AuditView {
  return {
    total,
    page: clampPage(page, total),
    pages: pagesOf(total),
    entries: receipts.map(auditEntry),
    folder: visibleLine(folder),
    log: { ok: log.ok, lines: auditCheckText(log).map(visibleLine) },
  }
}

function pagesOf(total: number): number {
  return Math.max(1, Math.ceil(total / AUDIT_PAGE_SIZE))
}

/** A page that exists, from 1. */
export function clampPage(page: number, total: number): number {
  return Number.isInteger(page) ? Math.min(Math.max(page, 1), pagesOf(total)) : 1
}

/** The number in `?page=…`; 1 when there is none, or something else is there. */
export function readAuditPage(value: string | readonly string[] | null | undefined): number {
  return typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : 1
}

/** One write, as the list shows it. */
export function auditEntry(receipt: AuditFacts): AuditEntryView {
  const { id, at, kind, undoes, undoneBy, state, session, problem } = receipt
  const outside = receipt.by === 'openclaw'
  const known = (outside ? OUTSIDE : STATES)[state] ?? { tone: 'attention' as const, meaning: state }
  return {
    id,
    at,
    kind,
    actor: visibleLine(receipt.actor),
    reason: visibleLine(receipt.reason),
    session: session === null ? null : visibleLine(session),
    state,
    ...(outside && state === 'done' && !receipt.verified ? NOT_BORNE_OUT : known),
    ...doubtOf(receipt),
    problem: problem === null ? null : visibleLine(problem),
    undoes,
    undoneBy,
    files: receipt.files.map((file) => ({
      path: visibleLine(file.path),
      change: file.before === null ? 'made' : file.after === null ? 'removed' : 'changed',
      before: bytesOf(file.before),
      after: state === 'failed' ? bytesOf(file.before) : bytesOf(file.after),
      backup: file.backup === null ? null : visibleLine(file.backup),
    })),
    facts: Object.entries(receipt.summary).map(([name, value]) => ({
      name: visibleLine(name),
      value: value === null ? 'unknown' : visibleLine(String(value)),
    })),
    canUndo: state === 'done' && !outside && (receipt.proof?.kind ?? 'proved') === 'proved',
  }
}

/** What is not proved is not offered as what it says it is. */
function doubtOf({ id, proof, state }: AuditFacts) {
  switch (proof?.kind) {
    case undefined:
    case 'proved':
      return { doubt: null }
    case 'older': {
      const way = state === 'done' ? ` To take it back: plimsoll undo ${id} --unsigned` : ''
      return { doubt: `Written before receipts were signed, so nothing proves it.${way}` }
    }
    case 'not-proved':
      return {
        state: 'not proved',
        tone: 'danger' as const,
        meaning: 'Nothing proves that Plimsoll wrote this receipt, and nothing is done for its sake.',
        doubt: `Not proved. ${visibleLine(proof.why)} Nothing is done for its sake; if it is not yours, another account or program writes into the state folder.`,
      }
  }
}

function bytesOf(state: FileFacts | null): AuditBytes | null {
  return state === null ? null : { hash: state.hash, size: state.size }
}
