import type { ReplaySession } from '../replay-session'
import { KIND, type SessionShape, shapeOf } from '../walk/session-shape'

/**
 * How long each chunk must live so that every need is met, chosen greedily: needs in the order of time, each met by the
 * source whose life that lengthens least, in tokens × calls. Exact where needs have one source; in general a bound that
 * can be reached, since the best choice with sizes is NP-hard.
 */
export type OracleLives = {
  /** By chunk: the last call that must see it. No less than the first that did. */
  readonly last: Int32Array
  /** By chunk: the call of the need before the last one that it meets, or its birth. */
  readonly before: Int32Array
}

const known = new WeakMap<SessionShape, OracleLives>()

export function oracleLives(session: ReplaySession): OracleLives {
  const shape = shapeOf(session)
  const found = known.get(shape)
  if (found !== undefined) return found
  const { chunks, needs } = session
  const last = Int32Array.from(chunks.born)
  const before = Int32Array.from(chunks.born)
  for (let need = 0; need < needs.count; need++) {
    const at = needs.at[need] as number
    let [best, least] = [-1, Number.POSITIVE_INFINITY]
    for (let i = (needs.offset[need + 1] as number) - 1; i >= (needs.offset[need] as number); i--) {
      const source = needs.source[i] as number
      const cost = Math.max(0, at - (last[source] as number)) * (chunks.tokens[source] as number)
      if (cost < least) [best, least] = [source, cost]
    }
    if (best < 0 || (last[best] as number) >= at) continue
    before[best] = last[best] as number
    last[best] = at
  }
  pairUp(session, shape, last)
  const lives = { last, before }
  known.set(shape, lives)
  return lives
}

/** A call lives as long as the longest of its results: providers refuse a result without its call. */
function pairUp({ chunks }: ReplaySession, { callOf }: SessionShape, last: Int32Array): void {
  for (let c = 0; c < chunks.count; c++) {
    const call = callOf[c] as number
    if (chunks.kind[c] === KIND.result && call >= 0 && (last[call] as number) < (last[c] as number))
      last[call] = last[c] as number
  }
}

/** Chunks in the order in which they die: `order[start[t]]` to `order[start[t + 1] - 1]` are not needed at call t any more. */
export type Deaths = { readonly start: Int32Array; readonly order: Int32Array }

/** @param deathOf the first call that need not see a chunk; later than all calls: it stays */
export function deathsOf(session: ReplaySession, deathOf: (chunk: number) => number): Deaths {
  const calls = session.calls.count
  const start = new Int32Array(calls + 2)
  for (let c = 0; c < session.chunks.count; c++) {
    const at = Math.min(deathOf(c), calls) + 1
    start[at] = (start[at] as number) + 1
  }
  for (let t = 1; t < start.length; t++) start[t] = (start[t] as number) + (start[t - 1] as number)
  const next = start.slice()
  const order = new Int32Array(session.chunks.count)
  for (let c = 0; c < session.chunks.count; c++) {
    const at = Math.min(deathOf(c), calls)
    const to = next[at] as number
    order[to] = c
    next[at] = to + 1
  }
  return { start, order }
}
