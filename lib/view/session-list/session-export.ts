import { runtimeTitle } from '../stores/store-title'
import type { CsvCell } from '../text/csv'
import { fillView } from './fill'
import type { SessionListRow } from './session-list'

/** Columns of the exported list: tokens, US dollars, times as ISO 8601 in UTC. What is unknown is empty. */
export const EXPORTED_COLUMNS = [
  'id',
  'session',
  'runtime',
  'store',
  'agent',
  'channel',
  'model',
  'state',
  'context tokens',
  'basis',
  'error (%)',
  'effective budget',
  'fill (share of the budget)',
  'acts at',
  'calls',
  'compactions',
  'unreadable lines',
  'copies',
  'sub-agents',
  'cost as recorded (USD)',
  'of the rest at list price (USD)',
  'requests without a price',
  'updated',
] as const

/** One session as a row of the export. */
export function sessionCells(row: SessionListRow): readonly CsvCell[] {
  const { tokens, budget, share, acts } = fillView(row.fill)
  return [
    ...[row.id, row.title, runtimeTitle(row.kind), row.store, row.agent, row.channel, row.model, row.state],
    ...[
      tokens.value,
      tokens.basis,
      tokens.basis === 'estimated' ? tokens.errorPct : null,
      budget,
      share,
      acts,
    ],
    ...[row.calls, row.compactions, row.unreadable, row.copies, row.agents],
    ...[row.cost.usd, row.cost.listUsd, row.cost.unpriced],
    row.updatedAt === null ? null : new Date(row.updatedAt).toISOString(),
  ]
}
