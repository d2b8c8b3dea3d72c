import 'server-only'
import { setImmediate as rest } from 'node:timers/promises'
import { CATEGORIES } from '../../core/tokens/category'
import { frameEntries } from '../../core/tokens/frame-entries'
import { encodingOf } from '../../core/tokens/model-encoding'
import { contextOfCall } from '../../core/transcript/context'
import { countContext } from '../../engine/read/count-context'
import { type CallColumns, columnRow } from '../../view/session/call-columns'
import type { ExactReport } from '../../view/session/exact-count'
import { inTurn } from '../process/in-turn'
import { readEntryText } from './entry-source'
import { getBranches } from './session-branches'
import { getCalls } from './session-calls'
import { getSession } from './session-record'

/** Text that is read for one request at most, in characters, and time that it may take: about two million tokens. */
const ENOUGH_CHARACTERS = 8_000_000
const ENOUGH_MS = 15_000

/** Others have their turn after so many milliseconds. */
const SLICE_MS = 8

export type ExactRequest = {
  readonly call: number
  /** One entry of its context; null: all that were sent. */
  readonly seq: number | null
  /** Ends the work when nothing waits for it any more. */
  readonly signal: AbortSignal
}

/**
 * What a call was sent, or one entry of it, counted with a tokenizer; null when there is no such session, call or
 * entry.
 * @throws the reason of `signal` when the reader went away
 */
export async function countExactly(id: string, request: ExactRequest): Promise<ExactReport | null> {
  const session = await getSession(id)
  if (!session) return null
  const calls = await getCalls(session)
  const row = columnRow(calls, request.call)
  if (row === null) return null
  const branches = await getBranches(session)
  const context = contextOfCall(branches, calls.seq[row] ?? 0, session.store.kind)
  // Of a message that is sent with a provider's checkpoint only a part is sent.
  const parts = frameEntries(context, { categories: categoriesAt(calls, row) }, session.store.kind).filter(
    ({ entry }) =>
      !entry.replayed &&
      (request.seq === null ? entry.sent || entry.why === 'merged' : entry.fact.seq === request.seq),
  )
  if (request.seq !== null && parts.length === 0) return null
  const [provider, model] = modelAt(calls, row)
  const encoding = encodingOf(provider, model)
  // A second reader waits for the first.
  const counted = await inTurn('exact count', () => {
    const started = performance.now()
    return countContext(
      parts.map(({ entry }) => entry.fact),
      encoding.encoding,
      {
        read: (fact) => readEntryText(session, fact),
        pause: pauser(request.signal),
        isEnough: (characters) => characters > ENOUGH_CHARACTERS || performance.now() - started > ENOUGH_MS,
      },
    )
  })
  const { entries, total, unreadable, left } = counted
  const estimated = parts.reduce(
    (sum, { entry, tokens }) => sum + (entries.has(entry.fact.seq) ? tokens : 0),
    0,
  )
  return { ...encoding, ...total, model, estimated, entries: entries.size, unreadable, left }
}

/** Lets other requests in whenever a slice of time is over. */
function pauser(signal: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    signal.throwIfAborted()
    if (performance.now() - since < SLICE_MS) return undefined
    return rest().then(() => {
      since = performance.now()
    })
  }
}

function categoriesAt(calls: CallColumns, row: number) {
  return Object.fromEntries(CATEGORIES.map((category, index) => [category, calls.tokens[index]?.[row] ?? 0]))
}

/** Provider and model of a call; their names are together in the columns. */
function modelAt(calls: CallColumns, row: number): readonly [string | null, string | null] {
  const name = calls.models[calls.model[row] ?? -1]
  if (name === undefined) return [null, null]
  const slash = name.indexOf('/')
  return slash < 0 ? [null, name] : [name.slice(0, slash), name.slice(slash + 1)]
}
