import type { Policy } from '../policy/policy'
import type { Tokens } from '../units/units'
import type { ChosenCut } from './choose-cut'
import { messagesIn, type PathMessage } from './known-path'
import type { CompactionPlan } from './plan'
import { mustPrune, pruneToShare } from './prune-to-share'
import type { SizedEntry } from './sized-entry'
import { summaryStages } from './stages'

/**
 * Divides what a compaction summarises among requests, as OpenClaw's safeguard does: history above its share is pruned
 * and summarised first, the rest in parts, what is too large not at all, the beginning of a split turn separately.
 */
export function planRequests(
  path: readonly SizedEntry[],
  cut: ChosenCut,
  { policy, window, total }: { readonly policy: Policy; readonly window: Tokens; readonly total: number },
): CompactionPlan['requests'] {
  const { compaction, history, counting } = policy
  const tokensOf = (message: PathMessage) => message.size
  const summarised = messagesIn(path, cut.from, cut.turnStart ?? cut.firstKept)
  const untouched = total - summarised.reduce((tokens, message) => tokens + message.size, 0)
  const isPruned =
    compaction.mode === 'safeguard' && mustPrune(untouched, window, history.maxShare, counting.safetyMargin)
  const budget = Math.floor(window * history.maxShare)
  const { kept, dropped } = isPruned
    ? pruneToShare(summarised, { budget, parts: compaction.parts, tokensOf })
    : { kept: summarised, dropped: [] }
  const { parts, oversized } = summaryStages(kept, {
    window,
    parts: compaction.parts,
    minMessages: compaction.minMessages,
    oversizedShare: compaction.oversizedShare,
    margin: counting.safetyMargin,
    tokensOf,
  })
  const prefix = cut.turnStart === null ? [] : messagesIn(path, cut.turnStart, cut.firstKept)
  const seqs = (messages: readonly PathMessage[]) => messages.map(({ seq }) => seq)
  return {
    pruned: seqs(dropped),
    parts: parts.map(seqs),
    prefix: seqs(prefix),
    oversized: seqs(oversized),
  }
}
