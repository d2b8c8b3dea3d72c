import { CHUNK_FLAGS, NEVER } from '../replay-session'
import { KIND, type SessionShape } from './session-shape'

/** What rules ask of the entries of a session, by their places (`SessionShape.placeOf`). */
export type PlaceFacts = {
  /** Kind of the first chunk of each. */
  readonly kind: Uint8Array
  /** Milliseconds since the epoch; NaN: not known. When the call was made that it came in with. */
  readonly at: Float64Array
  readonly important: Uint8Array
  readonly failed: Uint8Array
  /** Number of its tool in `ReplaySession.tools`; -1: none. */
  readonly tool: Int32Array
  /** Characters, by the runtime's own size: it takes four for a token. */
  readonly chars: Float64Array
  /** Places of the user's messages, oldest first. */
  readonly users: readonly number[]
  /** Places of results that give way to a later use of their file, and to the same call made again. */
  readonly superseded: readonly number[]
  readonly repeated: readonly number[]
  /** Chunks of calls with long arguments that give way to a later use of their file, and of those that failed. */
  readonly supersededCalls: readonly number[]
  readonly failedCalls: readonly number[]
}

const known = new WeakMap<SessionShape, PlaceFacts>()

export function placeFacts(shape: SessionShape): PlaceFacts {
  const before = known.get(shape)
  if (before !== undefined) return before
  const { firstChunk, session } = shape
  const { chunks, calls } = session
  const count = firstChunk.length - 1
  const users: number[] = []
  const [superseded, repeated]: [number[], number[]] = [[], []]
  const [supersededCalls, failedCalls]: [number[], number[]] = [[], []]
  const facts: PlaceFacts = {
    kind: new Uint8Array(count),
    at: new Float64Array(count),
    important: new Uint8Array(count),
    failed: new Uint8Array(count),
    tool: new Int32Array(count).fill(-1),
    chars: new Float64Array(count),
    users,
    superseded,
    repeated,
    supersededCalls,
    failedCalls,
  }
  for (let place = 0; place < count; place++) {
    const start = firstChunk[place] as number
    facts.kind[place] = chunks.kind[start] as number
    facts.at[place] = calls.at[Math.min(chunks.born[start] as number, calls.count - 1)] ?? Number.NaN
    for (let c = start; c < (firstChunk[place + 1] as number); c++) {
      const flags = chunks.flags[c] as number
      if ((flags & CHUNK_FLAGS.important) !== 0) facts.important[place] = 1
      if ((flags & CHUNK_FLAGS.error) !== 0) facts.failed[place] = 1
      if ((chunks.tool[c] as number) >= 0) facts.tool[place] = chunks.tool[c] as number
      facts.chars[place] = (facts.chars[place] as number) + (chunks.size[c] as number) * CHARS_PER_TOKEN
    }
    if (facts.kind[place] === KIND.user) users.push(place)
    if (facts.kind[place] !== KIND.result) continue
    if (chunks.superseded[start] !== NEVER) superseded.push(place)
    if (chunks.repeated[start] !== NEVER) repeated.push(place)
  }
  const failed = new Set<number>()
  for (let c = 0; c < chunks.count; c++)
    if (facts.failed[shape.placeOf[c] as number] === 1) failed.add(shape.callOf[c] as number)
  for (let c = 0; c < chunks.count; c++) {
    if (chunks.kind[c] !== KIND.call || (chunks.cleared[c] as number) >= (chunks.tokens[c] as number))
      continue
    if (chunks.superseded[c] !== NEVER) supersededCalls.push(c)
    if (failed.has(c)) failedCalls.push(c)
  }
  known.set(shape, facts)
  return facts
}

const CHARS_PER_TOKEN = 4
