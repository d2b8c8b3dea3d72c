import type { ReplayPolicy } from '../replay-policy'
import { CHUNK_FLAGS } from '../replay-session'
import type { ReplayWalk } from '../walk/replay-walk'
import { KIND } from '../walk/session-shape'
import { MARKER } from './mask-results'
import { type Deaths, deathsOf, oracleLives } from './oracle-lives'
import { rewriteMoments } from './rewrite-moments'

/** Lets each chunk go as soon as no later call needs it: the fewest tokens at a recall of 100 %. */
export const ORACLE: ReplayPolicy = {
  id: 'oracle',
  label: 'Oracle: fewest tokens',
  about:
    'Knows every later need and lets each chunk go right after its last one, choosing among several sources the one that is cheapest to keep. It rewrites the prompt whenever something goes, so it is not the cheapest.',
  source: 'feasible clairvoyant, a greedy bound of this project',
  family: 'oracle',
  start: (walk) => {
    const { last } = oracleLives(walk.session)
    const deaths = deathsOf(walk.session, (c) => (last[c] as number) + 1)
    return (call) => bury(walk, deaths, call, call)
  },
}

/** The same, but only when the rewrite pays, and with what is cheaper to fetch again than to keep. */
export const COST_ORACLE: ReplayPolicy = {
  id: 'oracle-cost',
  label: 'Oracle: lowest cost',
  about:
    'Knows every later need and every pause. It gathers what can go and lets it go together at the calls where that costs least in all, and lets go early what is cheaper to fetch again than to keep.',
  source: 'cost-aware clairvoyant of this project: moments of rewriting by dynamic programming',
  family: 'oracle',
  start: (walk) => {
    const death = costDeaths(walk)
    const deaths = deathsOf(walk.session, (c) => death[c] as number)
    const moments = rewriteMoments(walk.session, walk.prices, deaths)
    let from = 0
    return (call) => {
      if (moments[call] !== 1) return
      bury(walk, deaths, from, call)
      from = call + 1
    }
  },
}

/** Takes out what died at calls `from` to `to`. */
function bury(walk: ReplayWalk, { start, order }: Deaths, from: number, to: number): void {
  const { kind, block } = walk.session.chunks
  for (let i = start[from] as number; i < (start[to + 1] as number); i++) {
    const chunk = order[i] as number
    if (kind[chunk] !== KIND.result) {
      walk.leave(chunk, 'future')
      continue
    }
    const call = walk.shape.callOf[chunk] as number
    const marker = block[chunk] === 0 && call >= 0 ? MARKER : 0
    if ((walk.session.chunks.tokens[chunk] as number) > marker) walk.leave(chunk, 'future', marker)
  }
  // A marker is in the place of a result as long as its call is there.
  for (let i = start[from] as number; i < (start[to + 1] as number); i++) {
    const chunk = order[i] as number
    if (kind[chunk] !== KIND.call) continue
    for (let c = chunk + 1; c < walk.end && c < chunk + MOST_RESULTS; c++)
      if (walk.shape.callOf[c] === chunk && kind[c] === KIND.result) walk.leave(c, 'future')
  }
}

/** So far behind a call its results are looked for, in chunks. */
const MOST_RESULTS = 2_000

/** When each chunk may go if fetching is cheaper than keeping over the last pause in its use. */
function costDeaths(walk: ReplayWalk): Int32Array {
  const { session, prices, shape } = walk
  const { chunks, calls } = session
  const { last, before } = oracleLives(session)
  const death = new Int32Array(chunks.count)
  const spent = new Float64Array(calls.count + 1)
  for (let t = 0; t < calls.count; t++) {
    const rate = prices.rates[prices.rateOf[t] as number]
    const each = rate === undefined ? 1 : prices.warm[t] === 1 ? rate.read : rate.write
    spent[t + 1] = (spent[t] as number) + each
  }
  for (let c = 0; c < chunks.count; c++) {
    const [end, earlier] = [last[c] as number, before[c] as number]
    death[c] = end + 1
    if (end - earlier < LEAST_PAUSE || chunks.kind[c] !== KIND.result) continue
    if (((chunks.flags[c] as number) & CHUNK_FLAGS.locator) === 0) continue
    const keeping =
      (chunks.tokens[c] as number) * ((spent[end + 1] as number) - (spent[earlier + 1] as number))
    const rate = prices.rates[prices.rateOf[end] as number]
    // What a request costs that fetches it, with all that was sent at most.
    const asking = rate === undefined ? 0 : rate.read * (shape.promptAll[end] as number) + rate.output * 100
    const fetching = asking + (rate?.write ?? 1) * (chunks.tokens[c] as number)
    if (keeping > fetching) death[c] = earlier + 1
  }
  return death
}

/** A pause in the use of a chunk that is worth a look. Calls. */
const LEAST_PAUSE = 12
