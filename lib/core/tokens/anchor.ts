import type { Tokens } from '../units/units'
import { type LeastSquares, observe, startLeastSquares } from './least-squares'

/** What a provider counted, beside what was estimated of the same prompt. */
export type AnchorPoint = {
  readonly measured: Tokens
  /** What is there besides messages, as far as it is known. */
  readonly fixed: Tokens
  /** Estimate of the messages. */
  readonly messages: Tokens
}

/**
 * Believed before the first report: nothing is there that was not shown (tools may well take some thousand tokens), and
 * the provider counts as we do (tokenizers differ by a fifth).
 */
const PRIOR = { mean: [0, 1], deviation: [6_000, 0.2] } as const
/** How far estimates of the same kind of messages scatter, as a share of them; and at least so many tokens. */
const [SCATTER, LEAST_SCATTER] = [0.03, 50]
/** A provider's tokens for one of ours; what is beyond is something that was not shown. */
const [LEAST_SLOPE, MOST_SLOPE] = [0.7, 1.6]

/**
 * Estimates that go on from what a provider has counted: the newest report, and what has come or gone since, at the rate
 * at which the provider counts. What was not shown to us (tools, a system prompt) is in every report, and so in every
 * figure that follows.
 */
export class UsageAnchor {
  private fit: LeastSquares = startLeastSquares(PRIOR.mean, PRIOR.deviation)
  private last: AnchorPoint | null = null

  add(point: AnchorPoint): void {
    const { measured, fixed, messages } = point
    const noise = Math.max(LEAST_SCATTER, messages * SCATTER)
    this.fit = observe(this.fit, [1, messages], measured - fixed, noise)
    this.last = point
  }

  /** Tokens that the provider counts for one of ours; 1 while nothing is known. */
  get slope(): number {
    return Math.min(MOST_SLOPE, Math.max(LEAST_SLOPE, this.fit.mean[1] ?? 1))
  }

  /** What the provider would count; null before its first report. */
  estimate({ fixed, messages }: Omit<AnchorPoint, 'measured'>): Tokens | null {
    const { last } = this
    if (last === null) return null
    const moved = last.measured + (fixed - last.fixed) + this.slope * (messages - last.messages)
    // A report that was far too small for what it was about must not make a context look empty.
    return Math.max(moved, (fixed + messages) / 2)
  }
}
