import 'server-only'
import { CATEGORIES, type CategoryTokens } from '../core/tokens/category'
import type { EntryFact } from '../core/transcript/entry'
import type { SessionDetail } from '../db/queries/session-detail'
import { entriesBySeq } from '../db/queries/session-entries'
import { type CallColumns, rowOf } from '../view/call-columns'
import { groupItems, heaviestItems } from '../view/context-groups'
import { type ContextPage, type ContextRow, type ContextWhole, rowKind } from '../view/context-page'
import type { ContextChoice } from '../view/context-rows'
import { type ChosenItems, ContextTable, chooseItems } from '../view/context-table'
import { clampCall } from '../view/scrub'
import { visibleLine } from '../view/visible-text'
import { getDatabase } from './database'
import { oncePerProcess } from './process-memory'
import { RecentlyUsed } from './recently-used'
import { getBranches } from './session-branches'
import { getCalls } from './session-calls'
import { getSession } from './session-record'
import { getRun } from './session-runs'

/** Entries named as the heaviest. */
const HEAVIEST = 10

/** One context, the list of it that was asked for last, and what the panels beside the list show. */
type Kept = {
  readonly revision: number
  readonly table: ContextTable
  list: { readonly choice: string; readonly chosen: ChosenItems } | null
  whole: ContextWhole | null
}

/** Scrolling through one context asks for it page after page; 50,000 entries are about 2 MB. */
const kept = oncePerProcess('contexts', () => new RecentlyUsed<string, Kept>(6))

export type ContextRequest = ContextChoice & {
  readonly call: number
  readonly offset: number
  readonly limit: number
}

/** A stretch of what the model saw at a call, as chosen; null when there is no such session or call. */
export async function getContextPage(id: string, request: ContextRequest): Promise<ContextPage | null> {
  const session = await getSession(id)
  if (!session) return null
  const calls = await getCalls(session)
  const row = rowOf(calls, request.call)
  if (row === null) return null
  const context = await contextAt(session, calls, row)
  const { sort, descending, category, offset, limit } = request
  const { orders, tokens, largest, unsent } = listOf(context, { sort, descending, category })
  return {
    call: request.call,
    choice: { sort, descending, category },
    total: orders.length,
    tokens,
    unsent,
    largest,
    offset,
    rows: await rowsOf(session, context.table, orders.subarray(offset, offset + limit)),
    whole: offset === 0 ? await wholeOf(session, context) : null,
  }
}

/**
 * Makes ready what the Context tab asks for first, so that it need not wait for it.
 * @param call null: the last one
 */
export async function prepareContext(id: string, call: number | null): Promise<void> {
  const session = await getSession(id)
  if (!session || session.calls === 0) return
  const calls = await getCalls(session)
  const row = rowOf(calls, clampCall(call ?? session.calls, session.calls))
  if (row !== null) await wholeOf(session, await contextAt(session, calls, row))
}

function listOf(context: Kept, choice: ContextChoice): ChosenItems {
  const key = `${choice.sort} ${choice.descending} ${choice.category}`
  if (context.list?.choice === key) return context.list.chosen
  const chosen = chooseItems(context.table, choice)
  context.list = { choice: key, chosen }
  return chosen
}

async function wholeOf(session: SessionDetail, context: Kept): Promise<ContextWhole> {
  if (context.whole) return context.whole
  const { table } = context
  const { facts } = await getBranches(session)
  context.whole = {
    heaviest: await rowsOf(session, table, heaviestItems(table, HEAVIEST)),
    groups: groupItems(table).map(({ category, items: tiles }) => ({
      category,
      items: tiles.map((tile) => ({ ...tile, ...namesOf(tile.seq === null ? undefined : facts[tile.seq]) })),
    })),
  }
  return context.whole
}

/** What a tile says: the tool or role, and the line; '' for what does not stand in the transcript. */
function namesOf(fact: EntryFact | undefined): { readonly label: string; readonly short: string } {
  if (fact === undefined) return { label: '', short: '' }
  const { type, role = null, toolName: tool = null, line } = fact
  const short = visibleLine(rowKind({ type, role, tool }).slice(0, 40))
  return { label: `${short}, line ${line}`, short }
}

async function contextAt(session: SessionDetail, calls: CallColumns, row: number): Promise<Kept> {
  const key = `${session.row} ${calls.from + row}`
  const known = kept.get(key)
  if (known?.revision === session.revision) return known
  const { run, prefix } = await getRun(session, calls.seq[row] ?? 0)
  const table = new ContextTable(run, prefix, categoriesAt(calls, row))
  const context: Kept = { revision: session.revision, table, list: null, whole: null }
  kept.set(key, context)
  return context
}

function categoriesAt(calls: CallColumns, row: number): CategoryTokens {
  return Object.fromEntries(CATEGORIES.map((category, index) => [category, calls.tokens[index]?.[row] ?? 0]))
}

async function rowsOf(
  session: SessionDetail,
  table: ContextTable,
  orders: Iterable<number>,
): Promise<ContextRow[]> {
  const database = await getDatabase()
  const items = Array.from(orders, (order) => table.itemAt(order))
  const seqs = items.flatMap((item) => (item.seq === null ? [] : [item.seq]))
  const lines = entriesBySeq(database, session.row, seqs)
  return items.map((item) => {
    const line = item.seq === null ? undefined : lines.get(item.seq)
    return {
      ...item,
      line: line?.line ?? null,
      at: line?.at ?? null,
      role: line?.role ?? null,
      tool: line?.tool ?? null,
      type: line?.type ?? null,
      preview: line?.preview ?? null,
    }
  })
}
