import type { ToolResultReport } from '../core/budget/tool-results'
import type { ContentMessage } from '../core/history/thinking'
import type { ResumeOffer } from '../core/memory/step-checkpoint'
import { type AddedMessage, addWithRoom, roomOf } from './add-with-room'
import type { EndedSession, LiveRecovery } from './cold-memory'
import { heldResults } from './held-results'
import { type AfterResponse, type EndedTurn, endTurn } from './ladder-after'
import { compactContext, type LiveCompactionRequest, type LiveOutcome } from './ladder-compact'
import { type AfterCuration, curateAfter } from './ladder-curate'
import type { LadderParts } from './ladder-parts'
import { type BeforeResponse, LadderPass } from './ladder-pass'
import type { LadderTools } from './ladder-tools'
import { type LiveStatus, liveStatus } from './live-status'
import { retryAfterOverflow } from './retry-overflow'
import { type RolledView, rolledView } from './rolling-summary'
import { StepKeeper } from './step-keeper'
import type { UndoneRecovery } from './undo-recovery'

/** A prompt that a provider found too long is compacted to this share of what it was thought to take (GoClaw). */
const AFTER_OVERFLOW = 0.5

/** Without a store there is nothing to bring back, and nowhere to keep anything. */
const NO_COLD = {
  kind: 'refused',
  refusal: {
    code: 'not-supported',
    message: 'This agent has no cold storage: give it `cold` when it is made.',
  },
} as const

/**
 * Keeps a live agent's context within its window, around each of its requests. Passes of one conversation never run side
 * by side: who comes second finds what the first one did (D28).
 */
export class Ladder<M extends ContentMessage> {
  private tail: Promise<unknown> = Promise.resolve()
  private isNested = false
  private readonly keeper: StepKeeper<M>

  constructor(
    private readonly parts: LadderParts<M>,
    private readonly tools: LadderTools<M>,
  ) {
    this.keeper = new StepKeeper(parts)
  }

  beforeResponse(incoming: readonly M[], signal?: AbortSignal): Promise<BeforeResponse> {
    const nested = async (work: () => Promise<void>) => {
      this.isNested = true
      await work().finally(() => {
        this.isNested = false
      })
    }
    return this.inTurn(async () => {
      // Before the pass, which may summarise the call that tells of the plan.
      await this.keeper.note()
      const done = await new LadderPass(this.parts, this.tools, incoming, nested, signal).run()
      return { ...done, resume: await this.keeper.offer() }
    })
  }

  /** Answers what `beforeResponse` offered to go on with (E12); null when nothing is offered any more. */
  resume(taken: boolean): Promise<ResumeOffer | null> {
    return this.keeper.answer(taken)
  }

  /** By hand, at any fill (D27). */
  compact(focus: string | null, signal?: AbortSignal): Promise<LiveOutcome> {
    const request = { incoming: [], focus, manual: true, room: null, pressing: false, signal }
    return this.inTurn(() => this.compactNoted(request))
  }

  async afterResponse(turn: EndedTurn): Promise<AfterResponse & AfterCuration> {
    await this.keeper.note()
    const ended = await endTurn(this.parts, turn)
    const curated = await this.inTurn(() => curateAfter(this.parts, this.tools, turn.signal))
    return { ...ended, drop: curated.drop, warnings: [...ended.warnings, ...curated.warnings] }
  }

  /** Adds a message, with room made for it where it does not fit (A15). */
  add(message: M, signal?: AbortSignal): Promise<AddedMessage> {
    return this.inTurn(() => addWithRoom(this.parts, message, signal))
  }

  /** Tokens that may be added before the room that is reserved is touched (A14). */
  room(): Promise<number> {
    return roomOf(this.parts)
  }

  /** What tool results hold of the conversation (B8). */
  heldResults(): Promise<ToolResultReport> {
    return heldResults(this.parts)
  }

  /** By hand: brings a dropped chunk back to the end of the context (I6). */
  recover(chunkId: string): Promise<LiveRecovery> {
    const { cold } = this.tools
    return cold === null ? Promise.resolve(NO_COLD) : this.inTurn(() => cold.recover(this.parts, chunkId))
  }

  /** Takes what was recovered out of the context again. */
  undoRecovery(chunkId: string): Promise<UndoneRecovery> {
    const { cold } = this.tools
    return cold === null ? Promise.resolve(NO_COLD) : this.inTurn(() => cold.undo(this.parts, chunkId))
  }

  /** How the context stands (R1). */
  status(): Promise<LiveStatus> {
    return liveStatus(this.parts, this.tools)
  }

  /** Keeps what the conversation holds, for a while, when its session ends (T4, I8). */
  end(): Promise<EndedSession> {
    const { cold } = this.tools
    return cold === null ? Promise.resolve(NO_COLD) : this.inTurn(() => cold.archive(this.parts))
  }

  /** Makes a request, and after an overflow compacts and makes it again (D1, D2). */
  send<T>(request: () => Promise<T>, signal?: AbortSignal): Promise<{ value: T; compactions: number }> {
    return retryAfterOverflow(request, () => this.inTurn(() => this.compactAfterOverflow(signal)))
  }

  /** Tokens of the conversation as it is sent: a rolling summary counts in the place of what it stands for. */
  async size(): Promise<number> {
    const { gauge, agent } = this.parts
    const { summary, rest } = await this.view(await agent.getContext())
    return gauge.sum(summary === null ? rest : [summary, ...rest])
  }

  /** What of a conversation is sent; see `rolledView`. */
  async view(messages: readonly M[]): Promise<RolledView<M>> {
    const { state, form } = this.parts
    return rolledView(messages, (await state.get()).rolling, form)
  }

  private async compactAfterOverflow(signal?: AbortSignal): Promise<boolean> {
    const room = Math.floor((await this.size()) * AFTER_OVERFLOW)
    const request = { incoming: [], focus: null, manual: true, room, pressing: true, signal }
    return (await this.compactNoted(request)).kind === 'compacted'
  }

  private async compactNoted(request: LiveCompactionRequest<M>): Promise<LiveOutcome> {
    await this.keeper.note()
    return compactContext(this.parts, request)
  }

  /** One after the other; what a pass calls back for itself does not wait for it. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.isNested) return work()
    const turn = this.tail.then(work)
    this.tail = turn.catch(() => undefined)
    return turn
  }
}
