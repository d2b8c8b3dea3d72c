import type { SizedEntry } from '../../compaction/sized-entry'
import type { EntryFact } from '../../transcript/entry'
import { CHUNK_FLAGS, NEED_KINDS, NEVER, REPLAY_KINDS, type ReplaySession } from '../replay-session'

/** Numbers of the kinds of chunks in `ReplayChunks.kind`. */
export const KIND = Object.fromEntries(REPLAY_KINDS.map((name, i) => [name, i])) as {
  readonly [K in (typeof REPLAY_KINDS)[number]]: number
}

/** Number of the kind of needs that are rules. */
export const RULE_NEED = NEED_KINDS.indexOf('rule')

/** Numbers in `SessionShape.needClass`. */
export const NEED_CLASS = { short: 0, longRange: 1, rule: 2 } as const

/** What every replay of a session asks of it, whatever the policy; worked out once. */
export type SessionShape = {
  readonly session: ReplaySession
  /** How many chunks the prompt of call t has seen; one per call. */
  readonly bornEnd: Int32Array
  /** Tokens of the prompt of call t with everything kept. */
  readonly promptAll: Float64Array
  /** The needs of call t are those before `needEnd[t]` and not before that of the call before it. */
  readonly needEnd: Int32Array
  /** By need: 1 where its latest source is older than ten calls, 2 where it is of a rule, 0 else; and that source. */
  readonly needClass: Uint8Array
  readonly latest: Int32Array
  /** Weight of all needs of a class. */
  readonly classWeight: Float64Array
  /** The chunk of the call of a chunk's group; -1: it has none. */
  readonly callOf: Int32Array
  /** The place of a chunk's entry in `sizedPath`, and the first chunk of each place; one longer than the path. */
  readonly placeOf: Int32Array
  readonly firstChunk: Int32Array
  /** By place: the place of the earliest call that a result from there on answers; `NEVER`. One longer than the path. */
  readonly earliestCall: Int32Array
  /** By result: tokens of the whole entry that it is a block of; 0 for anything else. */
  readonly resultTokens: Int32Array
  /** Chunks of calls that were about a file, in order, and by file. */
  readonly fileCalls: Int32Array
  readonly callsOfFile: ReadonlyMap<number, readonly number[]>
  /** Milliseconds between a call and the one before it; NaN: not known. */
  readonly gap: Float64Array
}

/** Needs that are older are long-range. Calls. */
const LONG_RANGE = 10

const shapes = new WeakMap<ReplaySession, SessionShape>()

/** The shape of a session. A session is never changed in place. */
export function shapeOf(session: ReplaySession): SessionShape {
  const before = shapes.get(session)
  if (before !== undefined) return before
  const { chunks, calls } = session
  const bornEnd = new Int32Array(calls.count)
  const promptAll = new Float64Array(calls.count)
  const gap = new Float64Array(calls.count)
  let tokens = session.fixed
  for (let call = 0, next = 0; call < calls.count; call++) {
    for (; next < chunks.count && (chunks.born[next] as number) <= call; next++)
      if (((chunks.flags[next] as number) & CHUNK_FLAGS.reread) === 0) tokens += chunks.tokens[next] as number
    bornEnd[call] = next
    promptAll[call] = tokens
    gap[call] = call === 0 ? Number.NaN : (calls.at[call] as number) - (calls.at[call - 1] as number)
  }
  const callOf = callsOf(session)
  const shape: SessionShape = {
    session,
    bornEnd,
    promptAll,
    ...needsByCall(session),
    callOf,
    ...placesOf(session, callOf),
    resultTokens: resultTokens(session),
    ...fileCalls(session),
    gap,
  }
  shapes.set(session, shape)
  return shape
}

function needsByCall({
  needs,
  calls,
  chunks,
}: ReplaySession): Pick<SessionShape, 'needEnd' | 'needClass' | 'latest' | 'classWeight'> {
  const needEnd = new Int32Array(calls.count)
  const needClass = new Uint8Array(needs.count)
  const latest = new Int32Array(needs.count)
  const classWeight = new Float64Array(Object.keys(NEED_CLASS).length)
  for (let need = 0; need < needs.count; need++) {
    const source = needs.source[(needs.offset[need + 1] as number) - 1] as number
    latest[need] = source
    const isOld = (needs.at[need] as number) - (chunks.born[source] as number) > LONG_RANGE
    const own = needs.kind[need] === RULE_NEED ? NEED_CLASS.rule : isOld ? NEED_CLASS.longRange : 0
    needClass[need] = own
    classWeight[own] = (classWeight[own] as number) + (needs.weight[need] as number)
  }
  for (let call = 0, next = 0; call < calls.count; call++) {
    while (next < needs.count && (needs.at[next] as number) <= call) next++
    needEnd[call] = next
  }
  return { needEnd, needClass, latest, classWeight }
}

function callsOf({ chunks }: ReplaySession): Int32Array {
  const callOf = new Int32Array(chunks.count).fill(-1)
  const known = new Map<number, number>()
  for (let c = 0; c < chunks.count; c++) {
    const kind = chunks.kind[c]
    if (kind === KIND.call) known.set(chunks.group[c] as number, c)
    if (kind === KIND.call || kind === KIND.result) callOf[c] = known.get(chunks.group[c] as number) ?? -1
  }
  return callOf
}

function placesOf(
  { chunks }: ReplaySession,
  callOf: Int32Array,
): Pick<SessionShape, 'placeOf' | 'firstChunk' | 'earliestCall'> {
  const placeOf = new Int32Array(chunks.count)
  const starts: number[] = []
  for (let c = 0; c < chunks.count; c++) {
    if (c === 0 || chunks.entry[c] !== chunks.entry[c - 1]) starts.push(c)
    placeOf[c] = starts.length - 1
  }
  const earliestCall = new Int32Array(starts.length + 1).fill(NEVER)
  for (let c = chunks.count - 1; c >= 0; c--) {
    const [place, call] = [placeOf[c] as number, callOf[c] as number]
    const own = chunks.kind[c] === KIND.result && call >= 0 ? (placeOf[call] as number) : NEVER
    const later = Math.min(earliestCall[place] as number, earliestCall[place + 1] as number)
    earliestCall[place] = Math.min(later, own)
  }
  return { placeOf, firstChunk: Int32Array.from([...starts, chunks.count]), earliestCall }
}

const paths = new WeakMap<SessionShape, readonly SizedEntry[]>()

/**
 * The path of a session as the planners of compaction take it, one entry per entry of the transcript, with no more than
 * they ask: who wrote each, its calls, what it answers.
 */
export function sizedPath(shape: SessionShape): readonly SizedEntry[] {
  const before = paths.get(shape)
  if (before !== undefined) return before
  const { session, firstChunk } = shape
  const path: SizedEntry[] = []
  for (let place = 0; place + 1 < firstChunk.length; place++) {
    const [start, end] = [firstChunk[place] as number, firstChunk[place + 1] as number]
    let size = 0
    for (let c = start; c < end; c++) size += session.chunks.size[c] as number
    path.push({ fact: factOf(session, start, end, place), size })
  }
  paths.set(shape, path)
  return path
}

function factOf({ chunks }: ReplaySession, start: number, end: number, place: number): EntryFact {
  const calls: { id: string; name: string }[] = []
  let role = 'custom'
  let resultFor: string | undefined
  for (let c = start; c < end; c++) {
    const kind = chunks.kind[c]
    const id = String(chunks.group[c])
    if (kind === KIND.user) role = 'user'
    else if (kind === KIND.prose || kind === KIND.call) role = 'assistant'
    else if (kind === KIND.result) [role, resultFor] = ['toolResult', id]
    if (kind === KIND.call) calls.push({ id, name: '' })
  }
  return {
    ...{ seq: place, line: place + 1, offset: 0, bytes: 0, type: 'message', id: String(place) },
    ...{ parentId: place === 0 ? null : String(place - 1), at: null, role },
    ...(calls.length === 0 ? {} : { calls }),
    ...(resultFor === undefined ? {} : { resultFor }),
  }
}

function resultTokens({ chunks }: ReplaySession): Int32Array {
  const tokens = new Int32Array(chunks.count)
  for (let c = 0; c < chunks.count; ) {
    let [end, sum] = [c, 0]
    while (
      end < chunks.count &&
      chunks.entry[end] === chunks.entry[c] &&
      chunks.group[end] === chunks.group[c]
    )
      sum += chunks.tokens[end++] as number
    if (chunks.kind[c] === KIND.result) tokens.fill(sum, c, end)
    c = end
  }
  return tokens
}

function fileCalls({ chunks }: ReplaySession): Pick<SessionShape, 'fileCalls' | 'callsOfFile'> {
  const calls: number[] = []
  const callsOfFile = new Map<number, number[]>()
  for (let c = 0; c < chunks.count; c++) {
    const file = chunks.file[c] as number
    if (chunks.kind[c] !== KIND.call || file < 0) continue
    calls.push(c)
    const known = callsOfFile.get(file)
    if (known === undefined) callsOfFile.set(file, [c])
    else known.push(c)
  }
  return { fileCalls: Int32Array.from(calls), callsOfFile }
}
