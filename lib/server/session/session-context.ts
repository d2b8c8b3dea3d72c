import 'server-only'
import { maskSecrets } from '../../core/redaction/secrets'
import { CATEGORIES, type CategoryTokens } from '../../core/tokens/category'
import { unsureEntries } from '../../core/tokens/cut-prompts'
import type { EntryFact } from '../../core/transcript/entry'
import { isUsable } from '../../core/transcript/provider-checkpoint'
import type { Tokens } from '../../core/units/units'
import type { SessionDetail } from '../../db/queries/session-detail'
import { entriesBySeq } from '../../db/queries/session-entries'
import { type CallColumns, columnRow } from '../../view/session/call-columns'
import { groupItems, heaviestItems } from '../../view/session/context-groups'
import {
  type ContextPage,
  type ContextRow,
  type ContextWhole,
  type ReplayView,
  rowKind,
} from '../../view/session/context-page'
import type { ContextChoice } from '../../view/session/context-rows'
import { type ChosenItems, ContextTable, chooseItems } from '../../view/session/context-table'
import { clampCall } from '../../view/session/scrub'
import { visibleLine } from '../../view/text/visible-text'
import { getDatabase } from '../process/database'
import { remember } from '../process/remember'
import { getBranches } from './session-branches'
import { getCalls } from './session-calls'
import { getSession } from './session-record'
import { getRun } from './session-runs'

/** Entries named as the heaviest. */
const HEAVIEST = 10

/** One context, the list of it that was asked for last, and what the panels beside the list show. */
type Kept = {
  readonly table: ContextTable
  list: { readonly choice: string; readonly chosen: ChosenItems } | null
  whole: ContextWhole | null
}

/** Scrolling through one context asks for it page after page; 50,000 entries are about 2 MB. */
const contexts = remember<string, Promise<Kept>>('contexts', 6)

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
  const row = columnRow(calls, request.call)
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
    unsure: unsureRows(context.table, calls.seenTokens[row] ?? null),
    largest,
    offset,
    rows: await rowsOf(session, context.table, orders.subarray(offset, offset + limit)),
    replay: await replayOf(session, context.table),
    whole: offset === 0 ? await wholeOf(session, context) : null,
  }
}

async function replayOf(session: SessionDetail, table: ContextTable): Promise<ReplayView | null> {
  const seq = table.replayedSeq()
  if (seq === null) return null
  const { checkpoint } = (await getBranches(session)).facts[seq] ?? {}
  if (!isUsable(checkpoint)) return null
  const { route, text } = checkpoint
  return {
    provider: visibleLine(`${route.provider}/${route.model}`),
    text: text === undefined ? null : visibleLine(maskSecrets(text)),
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
  const row = columnRow(calls, clampCall(call ?? session.calls, session.calls))
  if (row !== null) await wholeOf(session, await contextAt(session, calls, row))
}

/** How many of the first rows a cut prompt may have lost. */
function unsureRows(table: ContextTable, seenTokens: Tokens | null): number {
  if (seenTokens === null) return 0
  const tokens = Array.from({ length: table.length }, (_, order) => table.tokens(order))
  return unsureEntries(tokens, seenTokens)
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

/** What a tile says: the tool or role, and the line; '' for what is not in the transcript. */
function namesOf(fact: EntryFact | undefined): { readonly label: string; readonly short: string } {
  if (fact === undefined) return { label: '', short: '' }
  const { type, role = null, toolName: tool = null, line } = fact
  const short = visibleLine(rowKind({ type, role, tool }).slice(0, 40))
  return { label: `${short}, line ${line}`, short }
}

async function contextAt(session: SessionDetail, calls: CallColumns, row: number): Promise<Kept> {
  const key = `${session.row} ${calls.from + row}`
  return contexts(key, session.revision, async () => {
    const { run, prefix } = await getRun(session, calls.seq[row] ?? 0)
    return { table: new ContextTable(run, prefix, categoriesAt(calls, row)), list: null, whole: null }
  })
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
