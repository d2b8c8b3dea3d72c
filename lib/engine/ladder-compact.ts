import type { CompactionPlan, NoPlan } from '../core/compaction/plan'
import type { ContentMessage } from '../core/history/thinking'
import { estimated } from '../core/tokens/figure'
import type { AgentState } from './agent-memory'
import { LIVE_ERROR_PCT } from './check-context'
import { type HookFacts, NO_HOOKS, runHook } from './compaction-hooks'
import { type CoveringText, newestCovering } from './covered-summary'
import { diagnoseCompaction } from './diagnose'
import { fittingPolicy } from './fitting-policy'
import { type LadderParts, roomBelowHardLine } from './ladder-parts'
import { compactMessages, planMessages } from './live-compaction'
import { logCompaction } from './log-compaction'
import { addedSince } from './message-key'
import { rolledView } from './rolling-summary'
import { placeOf, startCycle } from './start-cycle'
import { coveringText } from './write-checkpoint'
import type { WrittenSummary } from './write-summary'

export type LiveOutcome =
  | {
      readonly kind: 'compacted'
      readonly plan: CompactionPlan
      readonly summary: WrittenSummary
      /** Models that failed, hooks that failed, and what else there is to say. */
      readonly notes: readonly string[]
    }
  | NoPlan
  /** It would free next to nothing, and nothing presses. */
  | { readonly kind: 'not-worth-it'; readonly plan: CompactionPlan }
  | { readonly kind: 'stopped' }
  /** The conversation was changed by somebody else meanwhile; it was left as it is. */
  | { readonly kind: 'changed' }

export type LiveCompactionRequest<M> = {
  readonly incoming: readonly M[]
  readonly focus: string | null
  /** Asked for by hand, or by a provider: also when the policy would keep everything. */
  readonly manual: boolean
  /** The conversation must not take more than this afterwards; null: what the hard line leaves. Tokens. */
  readonly room: number | null
  /** The conversation does not fit: nothing is too little to be freed. */
  readonly pressing: boolean
  readonly signal?: AbortSignal
}

/** Compacts the conversation of a live agent: plan, hooks, summary, and the new conversation in the agent's hands. */
export async function compactContext<M extends ContentMessage>(
  parts: LadderParts<M>,
  request: LiveCompactionRequest<M>,
): Promise<LiveOutcome> {
  const { agent, gauge, form, window, summary } = parts
  const { focus, manual, signal } = request
  const messages = await agent.getContext()
  if (!request.pressing && isCompacted(parts, messages, await parts.state.get())) {
    const tokens = parts.fixedTokens() + gauge.sum(messages)
    return { kind: 'nothing', why: 'just-compacted', tokensBefore: estimated(tokens, LIVE_ERROR_PCT) }
  }
  const room = Math.min(request.room ?? Number.POSITIVE_INFINITY, roomBelowHardLine(parts, request.incoming))
  const given = {
    window,
    form,
    fixedTokens: parts.fixedTokens(),
    chain: agent.chain ?? null,
    manual,
    // Whoever asks for a focus wants a summary made for it.
    covering: focus === null ? await covering(parts, messages) : null,
  }
  const policy = fittingPolicy(messages, { ...given, policy: parts.policy }, room)
  const plan = planMessages(messages, { ...given, policy })
  if (plan.kind === 'nothing') return plan
  if (!request.pressing && !manual && plan.warnings.some(({ code }) => code === 'frees-little'))
    return { kind: 'not-worth-it', plan }
  const hooks = agent.hooks ?? NO_HOOKS
  const notes = await runHook(hooks, 'before', factsOf(agent.session, plan))
  const workspaceRules = await parts.workspaceRules()
  const done = await compactMessages(messages, { ...given, policy, focus, summary, workspaceRules, signal })
  if (done.kind === 'nothing') return done
  if (done.kind === 'stopped') return { kind: 'stopped' }
  const added = addedSince(form, messages, await agent.getContext())
  if (added === null) return { kind: 'changed' }
  await agent.setContext([...done.messages, ...added])
  gauge.forget()
  const known = await parts.state.update((state) => startCycle(state, form, done.messages))
  agent.onStep?.('compact')
  const sizes = { tokens: gauge.sum(done.messages), messages: done.messages.length }
  diagnoseCompaction(
    agent.diagnose,
    `${agent.session}#${known.compactions}`,
    { tokens: gauge.sum(messages), messages: messages.length },
    sizes,
  )
  notes.push(...(await runHook(hooks, 'after', factsOf(agent.session, plan))))
  const sessionId = agent.session
  notes.push(...(await logCompaction(agent.log, plan, { sessionId, policy: parts.policy, manual })))
  return { kind: 'compacted', plan, summary: done.summary, notes: [...done.summary.notes, ...notes] }
}

/** Whether nothing was added since the last compaction. */
function isCompacted<M extends ContentMessage>(
  parts: LadderParts<M>,
  messages: readonly M[],
  { compacted }: AgentState,
): boolean {
  return (
    compacted !== null &&
    compacted.count === messages.length &&
    placeOf(parts.form, messages)?.key === compacted.key
  )
}

/** The text that covers most of the conversation already: a checkpoint of it, or its rolling summary (E11). */
async function covering<M extends ContentMessage>(
  { state, form }: LadderParts<M>,
  messages: readonly M[],
): Promise<CoveringText | null> {
  const { rolling } = rolledView(messages, (await state.get()).rolling, form)
  const checkpoints = (await state.attempt('read', () => state.memory.checkpoints(state.session))) ?? []
  const found = checkpoints.flatMap((checkpoint) => coveringText(checkpoint, messages, form) ?? [])
  if (rolling !== null) found.push({ ...rolling, uptoSeq: rolling.covered - 1 })
  return newestCovering(found)
}

function factsOf(session: string, plan: CompactionPlan): HookFacts {
  return {
    session,
    actor: 'agent',
    tokensBefore: plan.tokensBefore.value,
    tokensAfter: plan.tokensAfter.value,
    firstKeptEntryId: plan.firstKeptEntryId,
  }
}
