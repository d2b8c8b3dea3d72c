import { isUserTurn } from '../core/history/message'
import { callsBeside } from '../core/history/message-parts'
import type { ContentMessage } from '../core/history/thinking'
import { uiPartsOf } from '../core/history/ui-parts'
import {
  isStepCheckpointDue,
  type ResumeOffer,
  resumeOffer,
  type StepCheckpoint,
} from '../core/memory/step-checkpoint'
import {
  boundedPlan,
  isPlanningTool,
  isUnderWay,
  stepsOfCall,
  type WorkPlan,
} from '../core/memory/work-steps'
import type { SourceCall } from '../core/summary/source-message'
import { blockKind, callNameOf } from '../core/transcript/blocks'
import { isObject } from '../core/transcript/json'
import { inParts } from './assemble-request'
import type { HeldConversation } from './conversation'
import type { LiveParts } from './live-parts'

/** Of a conversation that was new or changed, so many messages are examined. */
const MOST_LOOKED = 500

type Parts<M extends ContentMessage> = Pick<LiveParts<M>, 'agent' | 'form' | 'state' | 'summary'>

/**
 * Notes how far an agent is with its plan, and offers it to the agent that is started after it. The plan is the
 * agent's own, where it gives one; else what its planning tool was called with last.
 */
export class StepKeeper<M extends ContentMessage> {
  /** The newest note; undefined until memory was read. */
  private last: StepCheckpoint | null | undefined
  /** `last` was left by an agent before this one, and the offer has no answer yet. */
  private isLeft = false
  private plan: WorkPlan | null = null
  /** So many messages were examined already, and the last of them. */
  private looked: { readonly count: number; readonly last: M | undefined } | null = null

  constructor(private readonly parts: Parts<M>) {}

  /** What a restart may go on with, until it is answered or another plan is noted; null when there is nothing. */
  async offer(): Promise<ResumeOffer | null> {
    const last = await this.read()
    return this.isLeft ? resumeOffer(last) : null
  }

  /** Looks how far the plan is, and notes it where that is due. Costs next to nothing when nothing is. */
  async note(): Promise<void> {
    const last = await this.read()
    const isFirst = this.looked === null
    const plan = await this.current()
    if (plan === null) return
    const at = this.parts.agent.clock.now()
    if (!isStepCheckpointDue(plan, last, at)) return
    // What is in the conversation at the first check was left as well, since the last note of it.
    this.isLeft &&= isFirst
    await this.write({ session: this.parts.agent.session, at, plan, closed: !isUnderWay(plan) })
  }

  /** Takes the offer up, or turns it down for good. Answers the offer that was taken up. */
  async answer(taken: boolean): Promise<ResumeOffer | null> {
    const offer = await this.offer()
    const { last } = this
    if (offer === null || last === null || last === undefined) return null
    this.isLeft = false
    if (!taken) await this.write({ ...last, at: this.parts.agent.clock.now(), closed: true })
    return taken ? offer : null
  }

  private async write(checkpoint: StepCheckpoint): Promise<void> {
    const { state } = this.parts
    this.last = checkpoint
    await state.attempt('written', () => state.memory.addStepCheckpoint(checkpoint))
  }

  private async read(): Promise<StepCheckpoint | null> {
    if (this.last !== undefined) return this.last
    const { state } = this.parts
    const kept = await state.attempt('read', () => state.memory.stepCheckpoints(state.session))
    // Another caller may have been quicker.
    if (this.last !== undefined) return this.last
    this.last = kept?.at(-1) ?? null
    this.isLeft = this.last !== null
    return this.last
  }

  private async current(): Promise<WorkPlan | null> {
    const { agent, summary } = this.parts
    const held = await agent.held()
    const { messages } = held
    const { looked } = this
    this.looked = { count: messages.length, last: messages.at(-1) }
    if (agent.plan !== undefined) {
      const own = await agent.plan()
      return own !== null && Array.isArray(own.steps) ? boundedPlan(own, summary.mask) : null
    }
    const isGrown = looked !== null && looked.count > 0 && messages[looked.count - 1] === looked.last
    const from = isGrown ? looked.count : Math.max(0, messages.length - MOST_LOOKED)
    const found = this.planIn(held, from)
    if (found !== null) this.plan = boundedPlan(found, summary.mask)
    return this.plan
  }

  /** The newest plan that was noted by a tool from a message on; calls that failed have noted nothing. */
  private planIn(held: HeldConversation<M>, from: number): WorkPlan | null {
    const { form } = this.parts
    const messagesSince = held.messages.slice(from)
    // Most requests bring no plan, and need not be taken apart to see it.
    if (form.hasBlocks === true && !messagesSince.some(mayPlan)) return null
    const fresh = inParts(form, messagesSince)
    const failed = new Set<string>()
    for (let i = fresh.length - 1; i >= 0; i--) {
      const message = fresh[i]
      // What only says something notes no plan.
      if (message === undefined || (form.hasBlocks === true && isPlainTalk(message))) continue
      const source = form.toSource(message, i)
      if (source === null) continue
      if (source.isError && source.resultFor !== undefined) failed.add(source.resultFor)
      const steps = stepsOf(source.calls.filter(({ id }) => id === '' || !failed.has(id)))
      if (steps === null) continue
      const messages = held.parts()
      const place = messages.length - fresh.length + i
      const asked = messages.findLastIndex((one, at) => at < place && isUserTurn(one) && !form.isSummary(one))
      const ask = messages[asked]
      return { steps, goal: ask === undefined ? null : (form.toSource(ask, asked)?.text ?? null) }
    }
    return null
  }
}

/** Whether a message, as its API has it, calls a tool that plans are noted with. */
function mayPlan(message: ContentMessage): boolean {
  const own: unknown = message
  if (!isObject(own)) return false
  const { content } = own
  const blocks = uiPartsOf(own) ?? (Array.isArray(content) ? content : NO_BLOCKS)
  return isPlanningBlock(own) || blocks.some(isPlanningBlock) || callsBeside(own).some(isPlanningBlock)
}

function isPlanningBlock(block: unknown): boolean {
  return isObject(block) && blockKind(block) === 'call' && isPlanningTool(callNameOf(block))
}

const NO_BLOCKS: readonly unknown[] = []

/** Neither a call nor a result. */
function isPlainTalk({ calls, resultFor }: ContentMessage): boolean {
  return (calls === undefined || calls.length === 0) && resultFor === undefined
}

function stepsOf(calls: readonly SourceCall[]): WorkPlan['steps'] | null {
  for (const { name, input } of calls.toReversed()) {
    const steps = stepsOfCall(name, input)
    if (steps !== null && steps.length > 0) return steps
  }
  return null
}
