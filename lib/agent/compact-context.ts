import { answerFacts } from '../core/compaction/answer-facts'
import { isOverflowError, isSilentOverflow } from '../core/compaction/overflow-error'
import type { CompactionPlan, NoPlan } from '../core/compaction/plan'
import { originalsOf } from '../core/history/part-origin'
import type { ContentMessage } from '../core/history/thinking'
import { estimated } from '../core/tokens/figure'
import type { Tokens } from '../core/units/units'
import { reasonOf } from '../core/words/reason-of'
import { type CheckpointText, newestCheckpoint } from '../engine/compaction/checkpoint-summary'
import { type HookFacts, NO_HOOKS, runHook } from '../engine/compaction/compaction-hooks'
import { diagnoseCompaction } from '../engine/compaction/diagnose'
import { logCompaction } from '../engine/compaction/log-compaction'
import type { AgentState } from '../engine/knowledge/agent-memory'
import { addedSince } from '../engine/knowledge/message-key'
import type { WrittenSummary } from '../engine/summary/write-summary'
import type { WriteRefusal } from '../engine/write/receipt'
import { notReplaced } from './cold/cold-memory'
import { keepCopies, SUMMARISED_REASON, takeCopiesBack } from './cold/keep-copies'
import { compactMessages, fittingPolicy, planMessages } from './live-compaction'
import { LIVE_ERROR_PCT } from './live-gauge'
import { copyPlace, type LiveParts, roomBelowHardLine } from './live-parts'
import { placeOf, startCycle } from './remembered-state'
import { rolledView } from './rolling-summary'
import { coveringText } from './write-checkpoint'

/** What became of a compaction; only `compacted` has changed the conversation. */
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
  /** The conversation was changed meanwhile; it was left as it is. */
  | { readonly kind: 'changed' }
  /** Cold storage could not take what would leave, or the agent did not take what was made; nothing has changed. */
  | { readonly kind: 'refused'; readonly refusal: WriteRefusal }

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
  parts: LiveParts<M>,
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
    // A focus asks for a summary made for it.
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
  const kept = await keepCopies(copyPlace(parts), messages, done.messages, SUMMARISED_REASON)
  if (kept.kind === 'refused') {
    // A conversation that does not fit ends the agent's work; the summary speaks for what leaves.
    if (!request.pressing) return kept
    notes.push(`${withoutCopies(messages, done.messages)} ${kept.refusal.message}`)
  }
  const added = addedSince(form, messages, await agent.getContext())
  if (added === null) {
    if (parts.cold !== null && kept.kind === 'stored') await takeCopiesBack(parts.cold.ports, kept.chunks)
    return { kind: 'changed' }
  }
  const message = await notReplaced(agent, [...done.messages, ...added])
  if (message !== null) return { kind: 'refused', refusal: { code: 'failed', message } }
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

/** The window forces what cold storage refuses: said, since it cannot be taken back. */
function withoutCopies<M extends ContentMessage>(before: readonly M[], after: readonly M[]): string {
  const stays = new Set(after)
  const left = originalsOf(before.filter((message) => !stays.has(message))).length
  return `${left} messages left the context WITHOUT a copy in cold storage: without that the context would not have fitted into the window. What the summary says of them is all that is left.`
}

/** Whether nothing was added since the last compaction. */
function isCompacted<M extends ContentMessage>(
  parts: LiveParts<M>,
  messages: readonly M[],
  { compacted }: AgentState,
): boolean {
  return (
    compacted !== null &&
    compacted.count === messages.length &&
    placeOf(parts.form, messages)?.key === compacted.key
  )
}

/** The text that covers most of the conversation already: a checkpoint of it, or its rolling summary. */
async function covering<M extends ContentMessage>(
  { state, form }: LiveParts<M>,
  messages: readonly M[],
): Promise<CheckpointText | null> {
  const { rolling } = rolledView(messages, (await state.get()).rolling, form)
  const checkpoints = (await state.attempt('read', () => state.memory.checkpoints(state.session))) ?? []
  const found = checkpoints.flatMap((checkpoint) => coveringText(checkpoint, messages, form) ?? [])
  if (rolling !== null) found.push({ ...rolling, uptoSeq: rolling.covered - 1 })
  return newestCheckpoint(found)
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

/** A prompt that a provider found too long is compacted to this share of what it was thought to take (GoClaw). */
export const AFTER_OVERFLOW = 0.5

/** How often a request is made again after a compaction (GoClaw: 2). */
const OVERFLOW_RETRIES = 2

/**
 * Makes a request, and when the provider says that it is too long, compacts and makes it again; also when it says so in
 * its answer, or answers as if nothing were wrong with a prompt that its window cannot have held. Any other failure
 * comes through, and so does the last overflow, thrown or answered.
 * @param compact answers whether anything was compacted; if not, there is no point in asking again
 * @param window of the model, in tokens
 */
export async function retryAfterOverflow<T>(
  send: () => Promise<T>,
  compact: () => Promise<boolean>,
  window: Tokens,
  retries = OVERFLOW_RETRIES,
): Promise<{ readonly value: T; readonly compactions: number }> {
  for (let compactions = 0; ; compactions++) {
    const tried = await attempt(send)
    const overflowed = 'error' in tried ? isOverflow(tried.error) : isOverflowAnswer(tried.value, window)
    if (overflowed && compactions < retries && (await compact())) continue
    if ('error' in tried) throw tried.error
    return { value: tried.value, compactions }
  }
}

async function attempt<T>(
  send: () => Promise<T>,
): Promise<{ readonly value: T } | { readonly error: unknown }> {
  try {
    return { value: await send() }
  } catch (error) {
    return { error }
  }
}

function isOverflow(error: unknown): boolean {
  return isOverflowError(reasonOf(error))
}

/** Whether what a provider answered is no answer to the whole prompt. */
function isOverflowAnswer(value: unknown, window: Tokens): boolean {
  const { stopReason, prompt, output, error } = answerFacts(value)
  if (error !== null) return isOverflowError(error)
  return prompt !== null && output !== null && isSilentOverflow({ stopReason, prompt, output }, window)
}
