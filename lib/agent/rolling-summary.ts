import { injectedSummary, rollingDue, summaryInside, verbatimStart } from '../core/compaction/rolling'
import { type HistoryMessage, isUserTurn } from '../core/history/message'
import type { Policy } from '../core/policy/policy'
import { capSummary } from '../core/summary/cap-summary'
import type { MessageForm } from '../core/summary/message-form'
import type { SourceMessage } from '../core/summary/source-message'
import type { RollingState } from '../engine/knowledge/agent-memory'
import { messageKey } from '../engine/knowledge/message-key'
import type { SummaryChain } from '../engine/summary/summary-chain'
import { type SummaryOptions, writeSummary } from '../engine/summary/write-summary'

/** A conversation with its beginning in other words. */
export type RolledView<M> = {
  /** The rolling summary as a message; null when there is none, or it is about other messages. */
  readonly summary: M | null
  readonly rest: readonly M[]
  readonly rolling: RollingState | null
}

/** What of a conversation is sent: its rolling summary, and everything that is not in it. */
export function rolledView<M extends HistoryMessage>(
  messages: readonly M[],
  state: RollingState | null,
  form: MessageForm<M>,
): RolledView<M> {
  const last = state === null ? undefined : messages[state.covered - 1]
  if (state === null || last === undefined || messageKey(form, last, state.covered - 1) !== state.key)
    return { summary: null, rest: messages, rolling: null }
  return {
    summary: form.fromText(injectedSummary(state.text)),
    rest: messages.slice(state.covered),
    rolling: state,
  }
}

export type RollingOptions<M> = {
  readonly policy: Policy
  readonly form: MessageForm<M>
  readonly chain: SummaryChain | null
  /** Tokens that summary and history may take together. */
  readonly historyBudget: number
  readonly summary: Pick<SummaryOptions, 'sizeOf' | 'mask' | 'isSecret'>
  readonly signal?: AbortSignal
}

/** Rolling summaries belong to the division of the window; without it, turns alone limit a history. */
export function rolls({ budget, summary }: Policy): boolean {
  return budget.enabled && summary.rolling.enabled
}

/**
 * Where the part begins that stays word for word when a rolling summary is due now; null when none is. One that
 * exists is extended only for a part worth a request, so that a large recent part does not cost one each turn.
 */
export function rollTo<M extends HistoryMessage>(
  messages: readonly M[],
  view: RolledView<M>,
  { policy, form, historyBudget }: Pick<RollingOptions<M>, 'policy' | 'form' | 'historyBudget'>,
): number | null {
  if (!rolls(policy)) return null
  const sizeOf = (list: readonly M[]) => list.reduce((sum, message) => sum + form.tokensOf(message), 0)
  const { due, trigger } = rollingDue(policy, sizeOf(view.rest) + (view.rolling?.tokens ?? 0), historyBudget)
  if (!due) return null
  const covered = view.rolling?.covered ?? 0
  const isTurn = (message: M | undefined) =>
    message !== undefined && isUserTurn(message) && !form.isSummary(message)
  const { windowTurns } = policy.summary.rolling
  const start = verbatimStart(messages.length, (i) => isTurn(messages[i]), windowTurns)
  if (start <= covered) return null
  const fresh = sizeOf(messages.slice(covered, start))
  return view.rolling === null || fresh >= trigger * WORTH_EXTENDING ? start : null
}

/** Share of the trigger that the new part must have. */
const WORTH_EXTENDING = 0.25

export type Rolled =
  | { readonly kind: 'rolled'; readonly state: RollingState; readonly calls: number }
  /** History is cut by its limits instead. */
  | { readonly kind: 'failed'; readonly notes: readonly string[] }
  | { readonly kind: 'stopped' }

/** Summarises a conversation up to `start`: what is new in it, and the summary from before. */
export async function rollHistory<M extends HistoryMessage>(
  messages: readonly M[],
  view: RolledView<M>,
  start: number,
  { policy, form, chain, summary, signal }: RollingOptions<M>,
): Promise<Rolled> {
  const { maxTokens } = policy.summary.rolling
  const read = (from: number): SourceMessage[] =>
    messages.slice(from, start).flatMap((message, i) => form.toSource(message, from + i) ?? [])
  // A digest costs nothing, and a new one of everything is better than a digest of a digest.
  const state = chain === null ? null : view.rolling
  const messagesToRead = read(state?.covered ?? 0)
  const earlier = state === null ? messagesToRead.findLast(({ role }) => role === 'summary') : undefined
  const written = await writeSummary(
    {
      pruned: [],
      parts: [messagesToRead.filter((message) => message !== earlier)],
      prefix: [],
      oversized: [],
      previous: state?.text ?? (earlier === undefined ? null : summaryInside(earlier.text)),
      archive: [],
      newestAsk: null,
      recentTurns: [],
      workspaceRules: null,
    },
    { policy, chain, focus: null, maxTokens, ...summary, signal },
  )
  if (written.kind === 'stopped') return { kind: 'stopped' }
  const { text, source, calls, notes } = written.summary
  if (chain !== null && source === 'digest') return { kind: 'failed', notes }
  const capped = capSummary(text, maxTokens, summary.sizeOf)
  const last = messages[start - 1]
  if (last === undefined) return { kind: 'failed', notes: ['There is nothing to summarise.'] }
  return {
    kind: 'rolled',
    calls,
    state: {
      text: capped,
      tokens: form.tokensOf(form.fromText(injectedSummary(capped))),
      covered: start,
      key: messageKey(form, last, start - 1),
    },
  }
}
