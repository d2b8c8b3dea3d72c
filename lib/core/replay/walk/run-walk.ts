import type { OwnPrices } from '../../tokens/own-prices'
import type { ReplayPolicy } from '../replay-policy'
import type { NeedVerdicts, SessionReplay } from '../replay-result'
import { CHUNK_FLAGS, NEVER, type ReplaySession } from '../replay-session'
import { type CallPrices, callPrices, tierFactor } from './call-prices'
import { FORM, ReplayWalk } from './replay-walk'
import { NEED_CLASS, type SessionShape, shapeOf } from './session-shape'

/** Verdicts on a need. */
export const VERDICT = { met: 0, pointer: 1, lost: 2 } as const

/** What a miss asks of the model to be had again, in tokens it writes (lib/docs/replay-policies.md#cost). */
const FETCH_OUTPUT = 100

/** Notes what a policy left unmet: the need, and what came of it. */
export type MissSink = (walk: ReplayWalk, need: number, verdict: number) => void

const walk = new ReplayWalk()

/**
 * Replays a session under a policy: calls in order, the record held fixed. A miss is paid once and what was missed comes
 * back at the end of the prompt. Deterministic; allocates next to nothing.
 */
export function runWalk(
  session: ReplaySession,
  policy: ReplayPolicy,
  own: OwnPrices,
  onMiss: MissSink | null,
): SessionReplay {
  const shape = shapeOf(session)
  const prices = callPrices(session, own)
  walk.begin(shape, prices)
  const step = policy.start(walk)
  const sums = new Sums(session, prices)
  const judge = new Judge(shape, onMiss)
  const { calls, fixed } = session
  let [sentBefore, allBefore, needsFrom] = [0, 0, 0]
  for (let call = 0; call < calls.count; call++) {
    walk.arrive(call)
    step(call)
    const common = call === 0 ? 0 : walk.changedFrom === NEVER ? sentBefore : walk.prefix(walk.changedFrom)
    if (call > 0 && walk.changedFrom !== NEVER) sums.rewrites += 1
    const end = shape.needEnd[call] as number
    const fetched = judge.judge(walk, needsFrom, end)
    needsFrom = end
    const prompt = fixed + walk.live
    const all = shape.promptAll[call] as number
    sums.add(call, prompt, common, all, allBefore, fetched)
    sentBefore = prompt
    allBefore = all
  }
  return { ...sums.result(walk), ...judge.result(), transcriptId: session.transcriptId, owner: session.owner }
}

/** Tokens and prices of the calls of a replay. */
class Sums {
  rewrites = 0
  private tokensAll = 0
  private tokensSent = 0
  private costAll = 0
  private costSent = 0
  private missCost = 0
  private missTokens = 0
  private usdAll = 0
  private usdSent = 0
  private overfull = 0
  private readonly unitUsd: number

  constructor(
    private readonly session: ReplaySession,
    private readonly prices: CallPrices,
  ) {
    this.unitUsd = prices.rates[prices.rateOf[0] ?? 0]?.usd ?? Number.NaN
  }

  add(call: number, prompt: number, common: number, all: number, allBefore: number, fetched: number): void {
    const { calls } = this.session
    const { rates, rateOf, warm } = this.prices
    const rate = rates[rateOf[call] as number] as CallPrices['rates'][number]
    const isWarm = warm[call] === 1
    const said = rate.output * Math.max(0, calls.output[call] as number)
    const readAll = isWarm ? this.cached(allBefore) : 0
    const read = isWarm ? this.cached(common) : 0
    const costAll = tierFactor(rate, all) * (rate.read * readAll + rate.write * (all - readAll) + said)
    const factor = tierFactor(rate, prompt)
    // The request that fetches what is missing is made with the prompt as it was, which is then in the cache.
    const fresh = prompt - fetched - read
    let cost = factor * (rate.read * read + rate.write * fresh + said)
    if (fetched > 0) {
      const miss =
        factor * (rate.read * (prompt - fetched) + rate.write * fetched + rate.output * FETCH_OUTPUT)
      cost += miss
      this.missCost += miss
      this.missTokens += fetched
    }
    this.costAll += costAll
    this.costSent += cost
    this.usdAll += costAll * rate.usd
    this.usdSent += cost * rate.usd
    this.tokensAll += all
    this.tokensSent += prompt
    const window = calls.window[call] as number
    if (window > 0 && prompt > window) this.overfull += 1
  }

  private cached(tokens: number): number {
    const { floor, step } = this.prices
    if (tokens < floor) return 0
    return step === 1 ? tokens : tokens - (tokens % step)
  }

  result({ compactions, summaryWarm, summaryCold, summaryWritten }: ReplayWalk) {
    const { session, prices } = this
    const rate = prices.rates[prices.rateOf[0] ?? 0]
    const summaryCost =
      rate === undefined ? 0 : rate.read * summaryWarm + summaryCold + rate.output * summaryWritten
    const usd = (value: number) => (Number.isNaN(value) ? null : value)
    return {
      calls: session.calls.count,
      tokensAll: this.tokensAll,
      tokensSent: this.tokensSent,
      usdAll: usd(this.usdAll),
      usdSent: usd(this.usdSent + summaryCost * this.unitUsd),
      costAll: this.costAll,
      costSent: this.costSent + summaryCost,
      errorPct: session.fit.money === null ? null : Math.abs(session.fit.money - 1) * 100,
      rewrites: this.rewrites,
      compactions,
      overfull: this.overfull,
      missTokens: this.missTokens,
      missCost: this.missCost,
      summaryCost,
    }
  }
}

/** Judges needs as their calls come by (lib/docs/replay-policies.md#verdicts). */
class Judge {
  /** Weights by class of need, then by verdict. */
  private readonly weights = new Float64Array(9)
  private metAlone = 0

  constructor(
    private readonly shape: SessionShape,
    private readonly onMiss: MissSink | null,
  ) {}

  /** Judges the needs of a call and brings back what is missing; answers how many tokens that was. */
  judge(walk: ReplayWalk, from: number, to: number): number {
    const { needClass, latest, weightBefore, session } = this.shape
    const { weights } = this
    if (walk.isUntouched) {
      for (let own = 0; own < 3; own++) {
        const sums = weightBefore[own] as Float64Array
        const weight = (sums[to] as number) - (sums[from] as number)
        weights[own * 3] = (weights[own * 3] as number) + weight
        this.metAlone += weight
      }
      return 0
    }
    const { weight: weightOf } = session.needs
    const { forms } = walk
    let [fetched, metAlone] = [0, 0]
    for (let need = from; need < to; need++) {
      const weight = weightOf[need] as number
      const own = needClass[need] as number
      let verdict: number = VERDICT.met
      if (forms[latest[need] as number] === FORM.whole || this.isMetAlone(walk, need)) metAlone += weight
      else if (!this.isBack(walk, need)) {
        const source = this.sourceOf(walk, need)
        verdict = source.located ? VERDICT.pointer : VERDICT.lost
        this.onMiss?.(walk, need, verdict)
        // A rule that was forgotten is not fetched again; what is fetched for one need may serve the next.
        if (own !== NEED_CLASS.rule) {
          walk.readmit(source.chunk)
          fetched += session.chunks.tokens[source.chunk] as number
        }
      }
      const at = own * 3 + verdict
      weights[at] = (weights[at] as number) + weight
    }
    this.metAlone += metAlone
    return fetched
  }

  /** Whether what was missed before is back and meets it. */
  private isBack(walk: ReplayWalk, need: number): boolean {
    const { offset, source } = this.shape.session.needs
    for (let i = (offset[need + 1] as number) - 1; i >= (offset[need] as number); i--)
      if (walk.isVisible(source[i] as number)) return true
    return false
  }

  private isMetAlone(walk: ReplayWalk, need: number): boolean {
    const { offset, source, span } = this.shape.session.needs
    for (let i = (offset[need + 1] as number) - 1; i >= (offset[need] as number); i--)
      if (walk.isWhole(source[i] as number)) return true
    return walk.isHeld(span[need] as number)
  }

  /** What would be fetched: the smallest source whose locator is there, else the smallest one. */
  private sourceOf(walk: ReplayWalk, need: number): { chunk: number; located: boolean } {
    const { needs, chunks } = this.shape.session
    let [chunk, located] = [needs.source[needs.offset[need] as number] as number, false]
    for (let i = needs.offset[need] as number; i < (needs.offset[need + 1] as number); i++) {
      const one = needs.source[i] as number
      const hasLocator = ((chunks.flags[one] as number) & CHUNK_FLAGS.locator) !== 0
      const isLocated = walk.isLocated(one, hasLocator)
      if (located && !isLocated) continue
      if (isLocated === located && (chunks.tokens[one] as number) >= (chunks.tokens[chunk] as number))
        continue
      chunk = one
      located = isLocated
    }
    return { chunk, located }
  }

  result(): Pick<SessionReplay, 'needs' | 'longRange' | 'rules' | 'metWithoutRecovery'> {
    const of = (own: number) => this.weights.subarray(own * 3, own * 3 + 3)
    const [short, long] = [of(NEED_CLASS.short), of(NEED_CLASS.longRange)]
    return {
      needs: verdicts(short.map((weight, verdict) => weight + (long[verdict] as number))),
      longRange: verdicts(long),
      rules: verdicts(of(NEED_CLASS.rule)),
      metWithoutRecovery: this.metAlone,
    }
  }
}

function verdicts(weights: Float64Array): NeedVerdicts {
  const [met = 0, pointer = 0, lost = 0] = weights
  return { all: met + pointer + lost, met, pointer, lost }
}
