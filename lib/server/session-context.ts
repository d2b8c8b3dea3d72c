import 'server-only'
import { CATEGORIES, type CategoryTokens } from '../core/tokens/category'
import { contextOfCall } from '../core/transcript/context'
import type { EntryFact } from '../core/transcript/entry'
import type { SessionDetail } from '../db/queries/session-detail'
import { entriesBySeq } from '../db/queries/session-entries'
import { startsTurn } from '../view/branch-marks'
import { type CallColumns, rowOf } from '../view/call-columns'
import { type ContextPage, type ContextRow, type ContextWhole, rowKind } from '../view/context-page'
import {
  type ContextChoice,
  type ContextItem,
  chooseItems,
  contextItems,
  groupItems,
  heaviestItems,
  tokensOf,
} from '../view/context-rows'
import { visibleLine } from '../view/visible-text'
import { getDatabase } from './database'
import { oncePerProcess } from './process-memory'
import { RecentlyUsed } from './recently-used'
import { getBranches } from './session-branches'
import { getCalls } from './session-calls'
import { getSession } from './session-record'

/** Entries named as the heaviest. */
const HEAVIEST = 10

/** One context, and what the panels beside its list show once somebody asked. */
type Kept = {
  readonly revision: number
  readonly items: readonly ContextItem[]
  whole: ContextWhole | null
}

/** Scrolling through one context asks for it page after page; 50,000 entries are about 8 MB. */
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
  const chosen = chooseItems(context.items, request)
  const shown = chosen.slice(request.offset, request.offset + request.limit)
  const sum = (list: readonly ContextItem[]) =>
    list.reduce((total, item) => total + tokensOf(item, request.category), 0)
  return {
    call: request.call,
    choice: { sort: request.sort, descending: request.descending, category: request.category },
    total: chosen.length,
    tokens: sum(chosen),
    unsent: chosen.filter((item) => !item.sent).length,
    largest: chosen.reduce((most, item) => Math.max(most, tokensOf(item, request.category)), 0),
    offset: request.offset,
    rows: await rowsOf(session, shown),
    whole: request.offset === 0 ? await wholeOf(session, context) : null,
  }
}

async function wholeOf(session: SessionDetail, context: Kept): Promise<ContextWhole> {
  if (context.whole) return context.whole
  const { facts } = await getBranches(session)
  context.whole = {
    heaviest: await rowsOf(session, heaviestItems(context.items, HEAVIEST)),
    groups: groupItems(context.items).map(({ category, items: tiles }) => ({
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
  const branches = await getBranches(session)
  const seq = calls.seq[row] ?? 0
  const items = contextItems({
    context: contextOfCall(branches, seq, session.store.kind === 'pi' ? 'pi' : 'openclaw'),
    categories: categoriesAt(calls, row),
    path: branches.path(branches.parentOf(seq)),
    turnStarts: (at) => isTurn(branches.facts[at]),
  })
  const context: Kept = { revision: session.revision, items, whole: null }
  kept.set(key, context)
  return context
}

function isTurn(fact: EntryFact | undefined): boolean {
  return fact !== undefined && startsTurn(fact)
}

function categoriesAt(calls: CallColumns, row: number): CategoryTokens {
  return Object.fromEntries(CATEGORIES.map((category, index) => [category, calls.tokens[index]?.[row] ?? 0]))
}

async function rowsOf(session: SessionDetail, items: readonly ContextItem[]): Promise<ContextRow[]> {
  const database = await getDatabase()
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
