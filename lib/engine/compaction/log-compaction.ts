import type { CompactionPlan } from '../../core/compaction/plan'
import type { LogEntry } from '../../core/logs/log-fields'
import type { Policy } from '../../core/policy/policy'
import type { ContextLog } from '../logs/log-ports'

/** What of a compaction its plan does not say. */
export type LoggedCompaction = {
  readonly sessionId: string
  readonly policy: Pick<Policy, 'lines'>
  readonly manual: boolean
  /** More to be found in the line, under these names. */
  readonly rest?: Readonly<Record<string, string>>
}

/** Notes a compaction that was done, by hand or not. Answers what went wrong, which never harms it. */
export async function logCompaction(
  log: ContextLog | undefined,
  plan: CompactionPlan,
  done: LoggedCompaction,
): Promise<string[]> {
  const problem = (await log?.add('compaction', entryOf(plan, done))) ?? null
  return problem === null ? [] : [problem]
}

function entryOf(
  { tokensBefore, tokensAfter, chunks }: CompactionPlan,
  { sessionId, policy, manual, rest }: LoggedCompaction,
): LogEntry<'compaction'> {
  const count = (...actions: readonly string[]) =>
    chunks.filter(({ action }) => actions.includes(action)).length
  return {
    sessionId,
    trigger: manual ? 'manual' : 'token_threshold',
    tokensBefore: tokensBefore.value,
    tokensAfter: tokensAfter.value,
    chunksDropped: count('drop'),
    chunksSummarized: count('summarise', 'prune'),
    configUsed: configUsed(policy),
    // What is left after a compaction is an estimate until the next call.
    rest: { tokens_before_basis: tokensBefore.basis, tokens_after_basis: tokensAfter.basis, ...rest },
  }
}

/** The setting that decides when is compacted, as the log of memfas writes it. */
export function configUsed({ lines }: Pick<Policy, 'lines'>): string {
  return `COMPACTION_TRIGGER_PCT=${lines.compact.at.toFixed(2)}`
}
