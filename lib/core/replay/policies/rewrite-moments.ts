import { NEVER, type ReplaySession } from '../replay-session'
import type { CallPrices } from '../walk/call-prices'
import type { Deaths } from './oracle-lives'

/**
 * At which calls to let go of what has died, so that carrying it along and rewriting the prompt cost least together; 1 by
 * call. Dynamic programming over the last such call: exact but for markers, which are left out.
 */
export function rewriteMoments(session: ReplaySession, prices: CallPrices, deaths: Deaths): Uint8Array {
  const { chunks, calls } = session
  const count = calls.count
  const { start, order } = deaths
  const deathOf = new Int32Array(chunks.count)
  for (let t = 0; t <= count; t++)
    for (let i = start[t] as number; i < (start[t + 1] as number); i++) deathOf[order[i] as number] = t
  const [carried, tokensBy, spentBy, firstBy] = [
    new Float64Array(count + 1),
    new Float64Array(count + 1),
    new Float64Array(count + 1),
    new Int32Array(count + 1).fill(NEVER),
  ]
  const premium = new Float64Array(count)
  for (let t = 0; t < count; t++) {
    const rate = prices.rates[prices.rateOf[t] as number] ?? { read: 1, write: 1 }
    const isWarm = prices.warm[t] === 1
    carried[t + 1] = (carried[t] as number) + (isWarm ? rate.read : rate.write)
    premium[t] = isWarm ? rate.write - rate.read : 0
    for (let i = start[t] as number; i < (start[t + 1] as number); i++) {
      const chunk = order[i] as number
      const tokens = chunks.tokens[chunk] as number
      tokensBy[t] = (tokensBy[t] as number) + tokens
      spentBy[t] = (spentBy[t] as number) + tokens * (carried[t] as number)
      firstBy[t] = Math.min(firstBy[t] as number, chunk)
    }
  }
  const least = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY)
  const from = new Int32Array(count + 1).fill(-1)
  const after = new Float64Array(chunks.count + 1)
  for (let to = 0; to <= count; to++) {
    if (to < count) keptAfter(session, deathOf, to, after)
    // Garbage of calls `since` to `to`, and where it begins; nothing was let go before, or last at `since - 1`.
    let [tokens, spent, first] = [0, 0, NEVER]
    for (let since = to; since >= Math.max(0, to - MOST_BACK); since--) {
      if (since < count) {
        tokens += tokensBy[since] as number
        spent += spentBy[since] as number
        first = Math.min(first, firstBy[since] as number)
      }
      const earlier = since === 0 ? 0 : (least[since - 1] as number)
      const carry = tokens * (carried[to] as number) - spent
      const rewrite =
        to === count || first === NEVER
          ? 0
          : (premium[to] as number) * (after[Math.min(first, chunks.count)] as number)
      if (earlier + carry + rewrite >= (least[to] as number)) continue
      least[to] = earlier + carry + rewrite
      from[to] = since - 1
    }
  }
  const moments = new Uint8Array(count)
  for (let t = from[count] as number; t >= 0; t = from[t] as number) moments[t] = 1
  return moments
}

/** So many calls back the last rewrite is looked for. */
const MOST_BACK = 2_000

/** By chunk: tokens of what was in the prompt before a call from there on, and lives on after it. */
function keptAfter({ chunks }: ReplaySession, deathOf: Int32Array, call: number, after: Float64Array): void {
  let sum = 0
  for (let c = chunks.count - 1; c >= 0; c--) {
    if ((chunks.born[c] as number) < call && (deathOf[c] as number) > call) sum += chunks.tokens[c] as number
    after[c] = sum
  }
}
