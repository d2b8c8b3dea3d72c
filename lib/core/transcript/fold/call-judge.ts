import type { WindowProof } from '../../budget/window'
import {
  buildFrame,
  countPrompt,
  type FrameSetup,
  growthSince,
  predictTotal,
  settleOverhead,
} from '../../tokens/build-frame'
import { learn } from '../../tokens/calibration'
import type { Figure } from '../../tokens/figure'
import { fixedTotals } from '../../tokens/fixed'
import type { Frame } from '../../tokens/frame'
import { reportedPrompt } from '../../tokens/usage'
import type { EntryFact } from '../entry'
import { inEach, inOne, type NodeState, type SentState, sentOn } from '../replay-state'
import { type CallRoute, routeHash } from './call-route'
import { anchorAt, forModel } from './fold-states'
import type { TotalsTally } from './fold-totals'
import type { KnownModels } from './known-models'

/** What an answer, or what is in use now, says of the way that a call takes. */
type RouteFacts = {
  readonly provider?: string | null
  readonly model?: string | null
  readonly api?: string | null
}

/** A frame, and whether what its provider reported of the prompt is in doubt. */
export type JudgedCall = { readonly frame: Frame; readonly isDoubtful: boolean }

/**
 * Says of calls what filled their windows, and learns from what providers reported of them. What is learned from a
 * call is used for later calls only.
 */
export class CallJudge {
  private ownSession: { readonly id: string | null; readonly hash: string | null } | null = null

  /**
   * @param setup of the session; what its transcript says comes on top of it as it is read
   * @param counted counters of the same fold
   */
  constructor(
    public setup: FrameSetup,
    readonly models: KnownModels,
    private readonly counted: TotalsTally,
  ) {}

  /** The size of a prompt that was not sent yet. A provider that cuts prompts reports nothing to go by. */
  expected(state: SentState, provider: string | null, model: string | null): Figure {
    const count = this.models.cutsPrompts(provider, model) ? countPrompt : predictTotal
    return count(state, this.models.calibrationFor(provider, model), this.setup)
  }

  /** The frame of the call that would be made now. @param leaf the state that it would be sent */
  next(leaf: SentState, leafId: string | null): Frame {
    const { provider, model, calls, entries } = this.counted
    const answer: EntryFact = {
      seq: entries,
      line: 0,
      offset: 0,
      bytes: 0,
      type: 'message',
      role: 'assistant',
      id: null,
      parentId: leafId,
      at: null,
      ...(provider === null ? {} : { provider }),
      ...(model === null ? {} : { model }),
    }
    const state = forModel(leaf, model)
    return buildFrame({
      call: calls + 1,
      answer,
      state,
      calibration: this.models.calibrationFor(provider, model),
      setup: this.setup,
      proof: this.proofFor(provider, model),
      sent: this.expected(state, provider, model),
      isCut: false,
    })
  }

  /** The frame of a call; what its report teaches counts for later ones. */
  judge(fact: EntryFact, before: NodeState, call: number): JudgedCall {
    const provider = fact.provider ?? null
    const model = fact.model ?? null
    const calibration = this.models.calibrationFor(provider, model)
    const state = forModel(sentOn(before, this.routeOf(fact)).state, model)
    const { sent, isCut, isDoubtful } = this.models.judgeReport(
      fact,
      state,
      calibration,
      this.setup,
      this.counted.turns,
    )
    this.counted.noteAccepted(fact)
    const frame = buildFrame({
      call,
      answer: fact,
      state,
      calibration,
      setup: this.setup,
      proof: this.proofFor(provider, model),
      sent,
      isCut,
    })
    const total = reportedPrompt(fact)
    const { anchor } = state
    if (total !== null && anchor !== null && !isDoubtful) {
      const growth = growthSince(anchor, state.sums)
      this.models.keepCalibration(
        provider,
        model,
        learn(calibration, growth, total - anchor.total + growth.dropped),
      )
    }
    return { frame, isDoubtful }
  }

  /** What a call's reported prompt shows of the context that it was sent. */
  learnPrompt(fact: EntryFact, before: NodeState, after: NodeState): NodeState {
    const total = reportedPrompt(fact)
    if (total === null) return after
    const calibration = this.models.calibrationFor(fact.provider ?? null, fact.model ?? null)
    const { report } = this.setup
    const reported = report === null ? null : fixedTotals(report, calibration).total
    const { state: sent, family } = sentOn(before, this.routeOf(fact))
    const overhead = settleOverhead(total, sent, calibration, reported)
    const anchor = anchorAt(fact, total, sent)
    if (after.replays === undefined) return { sums: after.sums, anchor, overhead, send: after.send }
    // What lies beside the conversation is the same whichever part of that is sent.
    const settled = inEach(after, (state) => ({ ...state, overhead }))
    return inOne(settled, family, ({ sums, send }) => ({ sums, anchor, overhead, send }))
  }

  /** The way that the next call would take. */
  nextRoute(): CallRoute {
    return this.routeOf(this.counted)
  }

  /** Hash of the session's id as it is in the transcript; null when it names none. */
  session(): string | null {
    const { sessionId } = this.counted
    if (this.ownSession?.id !== sessionId)
      this.ownSession = { id: sessionId, hash: routeHash(sessionId ?? '') ?? null }
    return this.ownSession.hash
  }

  proofFor(provider: string | null, model: string | null): WindowProof {
    return this.models.proofFor(provider, model, this.counted.acceptedBy(provider, model))
  }

  /** On which way a call was made, as far as its answer tells. */
  private routeOf({ provider, model, api }: RouteFacts): CallRoute {
    return {
      provider: provider ?? null,
      model: model ?? null,
      api: api ?? null,
      hidden: null,
      session: this.session(),
    }
  }
}
