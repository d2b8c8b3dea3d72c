import { injectedSummary, summaryInside } from '../core/compaction/rolling'
import type { ContentMessage } from '../core/history/thinking'
import { joinWorkSummary, splitWorkSummary } from '../core/summary/work-summary'
import type { LiveParts } from './live-parts'
import { clearedMessage, type LivePruneContext } from './live-pruning'
import { summariseResults, summariseWork, type WorkSummary } from './summarise-work'

/** A result that may go, by its place, what is in its stead, and tokens that this frees. */
export type ClearableResult<M> = { readonly at: number; readonly message: M; readonly freed: number }

/** Those of the results that free something, measured on the messages themselves. */
export function clearable<M extends ContentMessage>(
  parts: Pick<LiveParts<M>, 'form' | 'policy'>,
  messages: readonly M[],
  places: readonly number[],
): ClearableResult<M>[] {
  return places.flatMap((at) => {
    const message = messages[at]
    const cleared = message === undefined ? null : clearedMessage(parts, message)
    if (message === undefined || cleared === null) return []
    const freed = parts.form.tokensOf(message) - parts.form.tokensOf(cleared)
    return freed > 0 ? [{ at, message: cleared, freed }] : []
  })
}

export type ClearedContext<M> =
  | {
      readonly kind: 'cleared'
      readonly messages: readonly M[]
      /** What the results said, as it is at the head of the context now; null where the policy has no summary. */
      readonly summary: string | null
      readonly notes: readonly string[]
    }
  | Exclude<WorkSummary, { kind: 'written' }>

/** Tokens that a summary of cleared results may add to what the one before took, what is around it included. */
export function summaryRoom<M extends ContentMessage>({
  policy,
  form,
}: Pick<LiveParts<M>, 'policy' | 'form'>): number {
  if (!policy.pruning.summarizeFirst) return 0
  const frame = form.fromText(injectedSummary(joinWorkSummary({ rest: '', work: '' })))
  return policy.summary.targetTokens + form.tokensOf(frame)
}

/**
 * Clears results, after what they said was summarised into the summary at the head of the context; where that
 * fails nothing is cleared. Calls and all other messages stay as they are, the same objects.
 * @param as which summary: of a session of work, or of tool results
 */
export async function clearResults<M extends ContentMessage>(
  parts: LiveParts<M>,
  messages: readonly M[],
  context: LivePruneContext,
  results: readonly ClearableResult<M>[],
  as: 'work' | 'results',
  signal?: AbortSignal,
): Promise<ClearedContext<M>> {
  const { policy, agent, form, summary } = parts
  const after = [...messages]
  for (const { at, message } of results) after[at] = message
  if (!policy.pruning.summarizeFirst) return { kind: 'cleared', messages: after, summary: null, notes: [] }
  const head = messages[0]
  const first = head !== undefined && form.isSummary(head) ? head : null
  const earlierSummary = first === null ? '' : summaryInside(form.toSource(first, 0)?.text ?? '')
  const { rest, work: earlier } = splitWorkSummary(earlierSummary)
  const room = policy.summary.targetTokens
  const before = earlier === null ? 0 : summary.sizeOf(earlier)
  const options = { policy, chain: agent.chain ?? null, summary, signal }
  const sources = withCalls(context, new Set(results.map(({ at }) => at)))
  // Results are added to what was said before; a session of work is said anew, what was said before included.
  const written =
    as === 'work'
      ? await summariseWork(sources, earlier, {
          ...options,
          maxTokens: Math.min(before + room, policy.summary.rolling.maxTokens),
        })
      : await summariseResults(sources, { ...options, maxTokens: room })
  if (written.kind !== 'written') return written
  const work = as === 'work' || earlier === null ? written.text : `${earlier}\n\n${written.text}`
  const text = joinWorkSummary({ rest, work: summary.mask(work) })
  const injected = form.fromText(injectedSummary(text))
  const { notes } = written
  return {
    kind: 'cleared',
    messages: [injected, ...(first === null ? after : after.slice(1))],
    summary: text,
    notes,
  }
}

/** The results, each behind the message that made the call, once. */
function withCalls({ pairs, sources }: LivePruneContext, results: ReadonlySet<number>) {
  const places = new Set(results)
  for (const { at, result } of pairs) if (result !== null && results.has(result)) places.add(at)
  return [...places].sort((a, b) => a - b).flatMap((at) => sources[at] ?? [])
}
