import type { Policy } from '../core/policy/policy'
import type { Figure } from '../core/tokens/figure'
import type { StoredChunk } from './cold-store'
import type { DropOutcome } from './drop-outcome'
import { configUsed } from './log-compaction'
import { logDrops } from './log-drops'
import type { ContextLog } from './log-ports'

export type LoggedPass = {
  readonly sessionId: string
  readonly policy: Pick<Policy, 'lines' | 'relevance'>
  readonly query: string
  /** What the context held before. */
  readonly fill: Figure
  readonly scorer: string
}

/**
 * Notes a pass by relevance: a line for each drop (Q4), and one for the pass, which was a compaction (Q2) or a curation
 * (Q3). Answers what went wrong with the logs, which never harms it.
 */
export async function logPass(
  log: ContextLog | undefined,
  outcome: DropOutcome,
  pass: LoggedPass,
): Promise<readonly string[]> {
  if (log === undefined) return []
  const { dropped, shortened, tokensBefore, tokensAfter } = outcome
  const { sessionId, policy, query, fill, scorer } = pass
  const saved = tokensBefore - tokensAfter
  const rest = { scorer, similarity_by: outcome.likenessBy }
  const byScore = ({ record }: StoredChunk) => record.reason === 'low_relevance'
  const problems = [
    await logDrops(log, dropped.filter(byScore), policy.relevance.cutoff),
    await logDrops(
      log,
      dropped.filter((chunk) => !byScore(chunk)),
      null,
    ),
    outcome.compacted
      ? await log.add('compaction', {
          sessionId,
          trigger: 'token_threshold',
          tokensBefore: fill.value,
          tokensAfter: fill.value === null ? null : Math.max(0, fill.value - saved),
          tokenSavings: saved,
          chunksDropped: dropped.length,
          chunksSummarized: shortened,
          configUsed: configUsed(policy),
          rest: { ...rest, tokens_before_basis: fill.basis, tokens_after_basis: 'estimated' },
        })
      : await log.add('curation', {
          sessionId,
          query,
          hitsFound: outcome.plan.decisions.length - dropped.length,
          totalHits: outcome.plan.decisions.length,
          tokenSavings: saved,
          dropsTriggered: dropped.length,
          rest,
        }),
  ]
  return problems.filter((problem) => problem !== null)
}
