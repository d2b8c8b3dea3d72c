import type { Tokens } from '../../units/units'
import type { SessionReplay } from '../replay-result'
import { type CallPrices, tierFactor } from './call-prices'
import { cachedTokens, type KeptSums, keptSums } from './kept-sums'
import type { ReplayWalk } from './replay-walk'
import type { SessionShape } from './session-shape'

/** What a miss asks of the model to be had again, in tokens it writes (lib/docs/replay-policies.md#cost). */
const FETCH_OUTPUT = 100

/** Tokens and prices of the calls of a replay. */
export class SentSums {
  rewrites = 0
  private readonly kept: KeptSums
  private tokens = 0
  private cost = 0
  private usd = 0
  private overfull = 0
  private missCost = 0
  private missTokens = 0

  constructor(
    private readonly shape: SessionShape,
    private readonly prices: CallPrices,
  ) {
    this.kept = keptSums(shape, prices)
  }

  /** Begins at a call: the prompts of those before it had everything in them. */
  beginAt(call: number): void {
    const { tokens, cost, usd, overfull } = this.kept
    this.tokens = tokens[call] as number
    this.cost = cost[call] as number
    this.usd = usd[call] as number
    this.overfull = overfull[call] as number
  }

  /**
   * Adds the next call.
   * @param common tokens that its prompt has in common with the one before, from the beginning on
   * @param fetched tokens of the prompt that were missing and came back
   */
  add(call: number, prompt: Tokens, common: Tokens, fetched: Tokens): void {
    const { output, window } = this.shape.session.calls
    const { prices } = this
    const rate = prices.rates[prices.rateOf[call] as number] as CallPrices['rates'][number]
    const said = rate.output * Math.max(0, output[call] as number)
    const read = prices.warm[call] === 1 ? cachedTokens(prices, common) : 0
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
    this.cost += cost
    this.usd += cost * rate.usd
    this.tokens += prompt
    const room = window[call] as number
    if (room > 0 && prompt > room) this.overfull += 1
  }

  result({ compactions, summaryWarm, summaryCold, summaryWritten }: ReplayWalk): PaidCalls {
    const { kept, prices } = this
    const { calls, fit } = this.shape.session
    const rate = prices.rates[prices.rateOf[0] ?? 0]
    const summaryCost =
      rate === undefined ? 0 : rate.read * summaryWarm + summaryCold + rate.output * summaryWritten
    const usd = (value: number) => (Number.isNaN(value) ? null : value)
    return {
      calls: calls.count,
      tokensAll: kept.tokens[calls.count] as number,
      tokensSent: this.tokens,
      usdAll: usd(kept.usd[calls.count] as number),
      usdSent: usd(this.usd + summaryCost * (rate?.usd ?? Number.NaN)),
      costAll: kept.cost[calls.count] as number,
      costSent: this.cost + summaryCost,
      errorPct: fit.money === null ? null : Math.abs(fit.money - 1) * 100,
      rewrites: this.rewrites,
      compactions,
      overfull: this.overfull,
      missTokens: this.missTokens,
      missCost: this.missCost,
      summaryCost,
    }
  }
}

type PaidCalls = Omit<
  SessionReplay,
  'transcriptId' | 'owner' | 'needs' | 'longRange' | 'rules' | 'metWithoutRecovery'
>
