import type { Milliseconds } from '../../core/units/units'
import {
  AUDIT_PAGE_SIZE,
  type AuditEntryView,
  type AuditFacts,
  type AuditTone,
  auditEntry,
} from '../audit/audit'
import { formatCount } from '../text/format'
import { visibleLine } from '../text/visible-text'

/** Ended jobs on one page of the list. */
export const JOBS_PAGE_SIZE = 25

/** A job as a page shows it. Times in milliseconds. */
export type JobView = {
  readonly id: string
  readonly title: string
  readonly state: string
  readonly tone: AuditTone
  /** What the state means, in a sentence. */
  readonly meaning: string
  readonly open: boolean
  /** Steps done, and all of them where that is known. */
  readonly done: number
  readonly of: number | null
  readonly doing: string
  readonly message: string | null
  readonly createdAt: Milliseconds
  readonly startedAt: Milliseconds | null
  readonly endedAt: Milliseconds | null
  /** Where to see what it is about. */
  readonly about: { readonly href: string; readonly label: string } | null
  /** The receipt under which it wrote, with its place in the list of writes. */
  readonly receipt: { readonly href: string; readonly entry: AuditEntryView } | null
  /** What became of a write that was under way when the job's process ended; null when that is no question. */
  readonly writeSays: string | null
}

export type JobsView = {
  readonly open: readonly JobView[]
  readonly ended: readonly JobView[]
  /** Ended jobs that are kept. */
  readonly total: number
  /** From 1. */
  readonly page: number
  readonly pages: number
}

/** What the view needs of a job. */
export type JobFacts = Omit<JobView, 'tone' | 'meaning' | 'open' | 'about' | 'receipt' | 'writeSays'> & {
  readonly kind: string
  readonly sessionId: string | null
  readonly storeId: string | null
  readonly receipt: string | null
}

export type ReceiptFacts = ReadonlyMap<string, { readonly receipt: AuditFacts; readonly newer: number }>

const STATES: { readonly [state: string]: { readonly tone: AuditTone; readonly meaning: string } } = {
  waiting: { tone: 'neutral', meaning: 'Its turn has not come yet.' },
  running: { tone: 'attention', meaning: 'Under way in this dashboard; closing the page does not stop it.' },
  done: { tone: 'ok', meaning: 'Done.' },
  refused: { tone: 'attention', meaning: 'It could not be done; nothing was changed.' },
  failed: { tone: 'danger', meaning: 'Something went wrong on the way.' },
  cancelled: { tone: 'neutral', meaning: 'Stopped on request.' },
  interrupted: { tone: 'danger', meaning: 'The dashboard ended while it was under way.' },
}

export function jobView(job: JobFacts, receipts: ReceiptFacts): JobView {
  const { id, state, done, of, createdAt, startedAt, endedAt } = job
  const known = STATES[state] ?? { tone: 'attention' as const, meaning: state }
  const receipt = job.receipt === null ? null : receiptView(job.receipt, receipts)
  return {
    id,
    state,
    ...known,
    title: visibleLine(job.title),
    open: endedAt === null,
    done,
    of,
    doing: visibleLine(job.doing),
    message: job.message === null ? null : visibleLine(job.message),
    createdAt,
    startedAt,
    endedAt,
    about: aboutOf(job),
    receipt,
    writeSays: state === 'interrupted' ? writeSays(job.receipt, receipt?.entry ?? null) : null,
  }
}

function receiptView(id: string, receipts: ReceiptFacts): JobView['receipt'] {
  const placed = receipts.get(id)
  return placed === undefined ? null : placedReceipt(placed)
}

/** A receipt with its place in the list of writes. @param placed how many receipts are newer */
export function placedReceipt(placed: {
  readonly receipt: AuditFacts
  readonly newer: number
}): JobView['receipt'] {
  const entry = auditEntry(placed.receipt)
  const page = Math.floor(placed.newer / AUDIT_PAGE_SIZE) + 1
  return { href: `/audit${page === 1 ? '' : `?page=${page}`}#${entry.id}`, entry }
}

/** The truth about an interrupted write is in its receipt, which the next start recovers. */
function writeSays(id: string | null, entry: AuditEntryView | null): string {
  if (id === null) return 'It had not begun to write: no store was changed.'
  if (entry === null)
    return 'Its receipt is not settled yet; the process that reads the stores does that when it starts.'
  switch (entry.state) {
    case 'done':
      if (!entry.canUndo) return entry.problem ?? entry.meaning
      return 'Its write was complete: the files hold what was meant, and it can be taken back.'
    case 'undone':
      return 'Its write was complete, and was taken back since.'
    case 'failed':
      return entry.problem ?? 'Nothing came of its write.'
    default:
      return 'Its write is not settled yet; the process that reads the stores does that when it starts.'
  }
}

function aboutOf({ kind, sessionId, storeId }: JobFacts): JobView['about'] {
  if (sessionId !== null) return { href: `/sessions/${sessionId}`, label: 'Session' }
  if (kind === 'lab') return { href: '/lab', label: 'Lab' }
  if (storeId === null) return { href: '/stores', label: 'Stores' }
  if (kind === 'maintain' || kind === 'cleanup')
    return { href: `/stores/${storeId}/maintenance`, label: 'Maintenance' }
  return { href: `/stores#${storeId}`, label: 'Store' }
}

/** The list of jobs. `page` is one that exists. */
export function jobsView(
  facts: {
    readonly open: readonly JobFacts[]
    readonly ended: readonly JobFacts[]
    readonly total: number
    readonly receipts: ReceiptFacts
  },
  page: number,
): JobsView {
  const view = (job: JobFacts) => jobView(job, facts.receipts)
  return {
    open: facts.open.map(view),
    ended: facts.ended.map(view),
    total: facts.total,
    page,
    pages: jobPages(facts.total),
  }
}

export function jobPages(total: number): number {
  return Math.max(1, Math.ceil(total / JOBS_PAGE_SIZE))
}

/** `3 of 5`, `3` when their number is unknown; '' before the first step. */
export function stepsText({ done, of }: Pick<JobView, 'done' | 'of'>): string {
  if (of !== null) return `${formatCount(done)} of ${formatCount(of)}`
  return done === 0 ? '' : formatCount(done)
}
