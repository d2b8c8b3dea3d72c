import type { Tokens } from '../../units/units'
import type { NeedVerdicts, SessionReplay } from '../replay-result'
import { CHUNK_FLAGS } from '../replay-session'
import { FORM, type ReplayWalk } from './replay-walk'
import { NEED_CLASS, type SessionShape } from './session-shape'

/** Verdicts on a need. */
export const VERDICT = { met: 0, pointer: 1, lost: 2 } as const

/** Notes what a policy left unmet: the need, and what came of it. */
export type MissSink = (walk: ReplayWalk, need: number, verdict: number) => void

/**
 * Judges needs as their calls come by (lib/docs/replay-policies.md#verdicts). All count as met to begin with, and what is
 * not is taken off: weights are thousandths in 24 bits, so that their sums are exact in whatever order.
 */
export class NeedJudge {
  /** Weights by class of need, then by verdict. */
  private readonly weights = [0, 0, 0, 0, 0, 0, 0, 0, 0]
  private metAlone = 0

  constructor(
    private readonly walk: ReplayWalk,
    private readonly shape: SessionShape,
    private readonly onMiss: MissSink | null,
  ) {
    const { classWeight } = shape
    for (let own = 0; own < classWeight.length; own++) {
      this.weights[own * 3] = classWeight[own] as number
      this.metAlone += classWeight[own] as number
    }
  }

  /** Judges the needs of a call and brings back what is missing; answers how many tokens that was. */
  judge(call: number): Tokens {
    const { latest, needEnd } = this.shape
    const { forms } = this.walk
    const to = needEnd[call] as number
    let fetched = 0
    for (let need = call === 0 ? 0 : (needEnd[call - 1] as number); need < to; need++)
      if (forms[latest[need] as number] !== FORM.whole) fetched += this.look(need)
    return fetched
  }

  /** Looks for a need whose latest source is there no more; answers how many tokens were fetched for it. */
  private look(need: number): Tokens {
    const { walk, weights } = this
    if (this.isMetAlone(need)) return 0
    const { needClass, session } = this.shape
    const weight = session.needs.weight[need] as number
    const own = needClass[need] as number
    this.metAlone -= weight
    if (this.isBack(need)) return 0
    const { chunk, located } = this.sourceOf(need)
    const verdict = located ? VERDICT.pointer : VERDICT.lost
    weights[own * 3] = (weights[own * 3] as number) - weight
    weights[own * 3 + verdict] = (weights[own * 3 + verdict] as number) + weight
    this.onMiss?.(walk, need, verdict)
    // A rule that was forgotten is not fetched again; what is fetched for one need may serve the next.
    if (own === NEED_CLASS.rule) return 0
    walk.readmit(chunk)
    return session.chunks.tokens[chunk] as number
  }

  private isMetAlone(need: number): boolean {
    const { walk } = this
    const { offset, source, span } = this.shape.session.needs
    for (let i = (offset[need + 1] as number) - 1; i >= (offset[need] as number); i--)
      if (walk.isWhole(source[i] as number)) return true
    return walk.isHeld(span[need] as number)
  }

  /** Whether what was missed before is back and meets it. */
  private isBack(need: number): boolean {
    const { offset, source } = this.shape.session.needs
    for (let i = (offset[need + 1] as number) - 1; i >= (offset[need] as number); i--)
      if (this.walk.isVisible(source[i] as number)) return true
    return false
  }

  /** What would be fetched: the smallest source whose locator is there, else the smallest one. */
  private sourceOf(need: number): { chunk: number; located: boolean } {
    const { needs, chunks } = this.shape.session
    let [chunk, located] = [needs.source[needs.offset[need] as number] as number, false]
    for (let i = needs.offset[need] as number; i < (needs.offset[need + 1] as number); i++) {
      const one = needs.source[i] as number
      const hasLocator = ((chunks.flags[one] as number) & CHUNK_FLAGS.locator) !== 0
      const isLocated = this.walk.isLocated(one, hasLocator)
      if (located && !isLocated) continue
      if (isLocated === located && (chunks.tokens[one] as number) >= (chunks.tokens[chunk] as number))
        continue
      chunk = one
      located = isLocated
    }
    return { chunk, located }
  }

  result(): Pick<SessionReplay, 'needs' | 'longRange' | 'rules' | 'metWithoutRecovery'> {
    const { weights } = this
    const of = (own: number, verdict: number) => weights[own * 3 + verdict] as number
    const verdicts = (one: (verdict: number) => number): NeedVerdicts => {
      const [met, pointer, lost] = [one(VERDICT.met), one(VERDICT.pointer), one(VERDICT.lost)]
      return { all: met + pointer + lost, met, pointer, lost }
    }
    return {
      needs: verdicts((verdict) => of(NEED_CLASS.short, verdict) + of(NEED_CLASS.longRange, verdict)),
      longRange: verdicts((verdict) => of(NEED_CLASS.longRange, verdict)),
      rules: verdicts((verdict) => of(NEED_CLASS.rule, verdict)),
      metWithoutRecovery: this.metAlone,
    }
  }
}
