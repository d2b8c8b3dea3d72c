import type { CompactionPlan } from '../core/compaction/plan'
import type { CompactionRequest } from './compaction-ports'
import type { OpenLog } from './log-ports'

/** Notes a compaction that was done, by hand or not (Q2). Answers what went wrong, which never harms it. */
export async function logCompaction(
  open: OpenLog | undefined,
  { policy, manual, transcript }: CompactionRequest,
  { tokensBefore, tokensAfter, chunks }: CompactionPlan,
  done: { readonly record: string; readonly receipt: string },
): Promise<string[]> {
  if (open === undefined) return []
  const count = (...actions: readonly string[]) =>
    chunks.filter(({ action }) => actions.includes(action)).length
  const problem = await open(policy.logs).add('compaction', {
    sessionId: transcript.sessionId,
    trigger: manual ? 'manual' : 'token_threshold',
    tokensBefore: tokensBefore.value,
    tokensAfter: tokensAfter.value,
    chunksDropped: count('drop'),
    chunksSummarized: count('summarise', 'prune'),
    configUsed: `COMPACTION_TRIGGER_PCT=${policy.lines.compact.at.toFixed(2)}`,
    // The text that follows a compaction is an estimate until the next call.
    rest: { tokens_before_basis: tokensBefore.basis, tokens_after_basis: tokensAfter.basis, ...done },
  })
  return problem === null ? [] : [problem]
}
