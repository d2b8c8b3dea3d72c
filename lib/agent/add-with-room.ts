import { openLedger, roomLeft } from '../core/budget/ledger'
import type { ContentMessage } from '../core/history/thinking'
import { makeRoom } from '../core/pruning/make-room'
import { addedSince } from '../engine/knowledge/message-key'
import { clearable, clearResults, summaryRoom } from './clear-results'
import { notReplaced } from './cold/cold-memory'
import { keepCopies, SUMMARISED_REASON } from './cold/keep-copies'
import { copyPlace, currentCheck, type LiveParts } from './live-parts'
import { livePruneContext } from './live-pruning'

/** What became of a message that was to be added. */
export type AddedMessage =
  | {
      readonly added: true
      /** Tokens that were really freed for it, and how many results were cleared. */
      readonly freed: number
      readonly cleared: number
      /** The summary of what was cleared, as it is at the head of the context; null when there is none. */
      readonly summary: string | null
      readonly notes: readonly string[]
    }
  /** Nothing has changed. */
  | { readonly added: false; readonly why: string; readonly notes: readonly string[] }

/**
 * Tokens that may still be added before the room kept for prompt, answer and results is touched; below 0 when it is.
 */
export async function roomOf<M extends ContentMessage>(parts: LiveParts<M>): Promise<number> {
  const { tokens } = await currentCheck(parts, [])
  return roomLeft(openLedger(parts.policy, parts.window, tokens.value ?? 0))
}

/**
 * Adds a message to the conversation. Where it does not fit, the oldest tool results are cleared first, after they were
 * summarised; where even all that may go are not enough, or the summary fails, nothing is changed.
 */
export async function addWithRoom<M extends ContentMessage>(
  parts: LiveParts<M>,
  message: M,
  signal?: AbortSignal,
): Promise<AddedMessage> {
  const { agent, form, gauge } = parts
  const refused = (why: string, notes: readonly string[] = []) => ({ added: false, why, notes }) as const
  const tokens = form.tokensOf(message)
  const room = await roomOf(parts)
  const messages = await agent.getContext()
  if (tokens <= room) {
    const problem = await notReplaced(agent, [...messages, message])
    if (problem !== null) return refused(problem)
    return { added: true, freed: 0, cleared: 0, summary: null, notes: [] }
  }
  const lacking = tokens - room
  const context = livePruneContext(parts, messages, null)
  const results = new Map(
    clearable(
      parts,
      messages,
      messages.map((_, at) => at).filter((at) => context.messages[at]?.role === 'toolResult'),
    ).map((result) => [result.at, result]),
  )
  const chosen = makeRoom(context, lacking + summaryRoom(parts), ({ at }) => results.get(at)?.freed ?? 0)
  if (chosen === null)
    return refused(
      `It takes ${tokens} tokens and ${Math.max(0, room)} are free; tool results that may go do not free the rest.`,
    )
  const going = chosen.flatMap(({ decision }) => results.get(decision.at) ?? [])
  const done = await clearResults(parts, messages, context, going, 'results', signal)
  if (done.kind !== 'cleared')
    return refused(
      'What would have gone to make room could not be summarised, so it stays.',
      done.kind === 'failed' ? done.notes : [],
    )
  // What came in while it was summarised stays, and takes room as well.
  const since = addedSince(form, messages, await agent.getContext())
  if (since === null) return refused('The conversation was changed while room was made for it.', done.notes)
  const freed = gauge.sum(messages) - gauge.sum(done.messages)
  if (freed < lacking + gauge.sum(since))
    return refused('The summary of what would have gone leaves too little room.', done.notes)
  const kept = await keepCopies(copyPlace(parts), messages, done.messages, SUMMARISED_REASON)
  if (kept.kind === 'refused') return refused(kept.refusal.message, done.notes)
  const now = addedSince(form, messages, await agent.getContext())
  if (now?.length !== since.length)
    return refused('The conversation was changed while room was made for it.', done.notes)
  const problem = await notReplaced(agent, [...done.messages, ...since, message])
  if (problem !== null) return refused(problem, done.notes)
  gauge.forget()
  return { added: true, freed, cleared: going.length, summary: done.summary, notes: done.notes }
}
