import { digest, digestBudget } from '../core/summary/digest'
import { enrich } from '../core/summary/enrich'
import type { SourceMessage } from '../core/summary/source-message'
import type { SummaryOptions } from './write-summary'

/** A text that stands for the beginning of a conversation already: a checkpoint, or a rolling summary (E11). */
export type CoveringText = {
  readonly text: string
  readonly tokens: number
  /** Index of the last message that it covers. */
  readonly uptoSeq: number
}

/** The summary of a compaction that a text covers for the most part: that text, and a digest of what came after it. */
export function coveredSummary(
  covering: CoveringText,
  uncovered: readonly SourceMessage[],
  newestAsk: string | null,
  options: Pick<SummaryOptions, 'sizeOf' | 'isSecret' | 'focus'>,
): string {
  const { sizeOf, isSecret, focus } = options
  const tokens = uncovered.reduce((sum, { text }) => sum + sizeOf(text), 0)
  const later =
    uncovered.length === 0
      ? []
      : [
          digest(uncovered, {
            budget: digestBudget(tokens),
            sizeOf,
            isSecret,
            ...(focus === null ? {} : { focus }),
          }),
        ]
  return enrich([covering.text, ...later].join('\n\n'), {
    messages: [],
    turnPrefix: null,
    newestAsk,
    recentTurns: [],
    workspaceRules: null,
  })
}
