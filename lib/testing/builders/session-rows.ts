import { CATEGORIES, type CategoryTokens } from '../../core/tokens/category'
import { measured, UNKNOWN } from '../../core/tokens/figure'
import type { Frame } from '../../core/tokens/frame'
import { packCalls } from '../../db/call-blocks'
import type { Connection } from '../../db/connection'
import type { SqlValue } from '../../db/sql-value'

/** Columns of a table with the values a test cares about; the rest get plain defaults. */
type Row = { readonly [column: string]: SqlValue }

/** The moment that builders call now: 2026-07-01 12:00 UTC. */
export const BUILDER_NOW = Date.UTC(2026, 6, 1, 12)

/** Writes one row and returns its rowid where it has one. */
function insert(connection: Connection, table: string, row: Row): void {
  const names = Object.keys(row)
  connection.run(
    `INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    Object.values(row),
  )
}

export function insertStore(connection: Connection, values: Row = {}): void {
  insert(connection, 'Store', {
    id: 'store',
    kind: 'openclaw',
    era: 'jsonl',
    root: '/home/op/.openclaw',
    label: 'openclaw',
    state: 'ok',
    firstSeenAt: BUILDER_NOW,
    lastReadAt: BUILDER_NOW,
    ...values,
  })
}

/** `row` and `id` must differ between sessions. A session without further values: live, empty, of unknown fill. */
export function insertSession(
  connection: Connection,
  values: Row & { readonly row: number; readonly id: string },
): void {
  insert(connection, 'Session', {
    storeId: 'store',
    sessionId: values.id,
    path: `/home/op/.openclaw/agents/main/sessions/${values.id}.jsonl`,
    state: 'live',
    updatedAt: BUILDER_NOW,
    ...values,
  })
}

export function insertSessionBill(
  connection: Connection,
  values: Row & { readonly sessionRow: number },
): void {
  insert(connection, 'SessionBill', { unpriced: 0, besides: 0, besidesTokens: 0, ...values })
}

export function insertSessionDay(
  connection: Connection,
  values: Row & { readonly sessionRow: number; readonly day: string },
  categories: CategoryTokens = {},
): void {
  insert(connection, 'SessionDay', {
    model: 'model-a',
    calls: 1,
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    costUnknownCalls: 0,
    categoriesJson: JSON.stringify(CATEGORIES.map((category) => categories[category] ?? 0)),
    ...values,
  })
}

export function insertCompaction(
  connection: Connection,
  values: Row & { readonly sessionRow: number; readonly seq: number },
): void {
  insert(connection, 'Compaction', { at: BUILDER_NOW, kind: 'compaction', afterCall: 1, ...values })
}

/** One call in a separate block. A `stopReason` of `error` puts it among the failed ones as well. */
export function insertCall(
  connection: Connection,
  call: {
    readonly sessionRow: number
    readonly n: number
    readonly total?: number | null
    readonly window?: number
    readonly stopReason?: string
  },
): void {
  const { sessionRow, n, total = null, window = 200_000, stopReason = 'stop' } = call
  const frame: Frame = {
    call: n,
    seq: n,
    at: BUILDER_NOW,
    provider: null,
    model: null,
    window: { tokens: window, source: 'model' },
    total: total === null ? UNKNOWN : measured(total),
    categories: {},
    basis: {},
    errorPct: null,
    output: UNKNOWN,
    cacheRead: null,
    cacheWrite: null,
    stopReason,
    seenTokens: null,
    sent: null,
  }
  insert(connection, 'CallBlock', { sessionRow, firstN: n, count: 1, ...packCalls([frame], [null]) })
  if (stopReason !== 'error') return
  insert(connection, 'FailedCall', { sessionRow, n, seq: n, at: BUILDER_NOW, stopReason })
}

export function insertOddEntry(
  connection: Connection,
  values: Row & { readonly sessionRow: number; readonly seq: number },
): void {
  insert(connection, 'OddEntry', { line: values.seq + 1, bytes: 2, type: 'unreadable', ...values })
}
