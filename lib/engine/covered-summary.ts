import { type Checkpoint, checkpointText } from '../core/memory/checkpoint'
import { digest, digestBudget } from '../core/summary/digest'
import { enrich } from '../core/summary/enrich'
import type { SourceMessage } from '../core/summary/source-message'
import type { SummaryMaterial, SummaryOptions, WrittenSummary } from './write-summary'

/** A text that stands for the beginning of a conversation already: a checkpoint, or a rolling summary (E11). */
export type CoveringText = {
  readonly text: string
  readonly tokens: number
  /** Index of the last message that it covers. */
  readonly uptoSeq: number
}

/** A checkpoint as such a text, wherever its last message stands. */
export function checkpointCovering({ body, tokens }: Checkpoint): Omit<CoveringText, 'uptoSeq'> {
  return { text: checkpointText(body), tokens }
}

/** The one that goes furthest. */
export function newestCovering(found: readonly CoveringText[]): CoveringText | null {
  return found.toSorted((a, b) => b.uptoSeq - a.uptoSeq)[0] ?? null
}

/** The summary of a compaction that a text covers for the most part: that text, and a digest of what came after it. */
export function coveredSummary(
  covering: CoveringText,
  uncovered: readonly SourceMessage[],
  {
    newestAsk,
    important,
    workspaceRules = null,
  }: Pick<SummaryMaterial, 'newestAsk' | 'important'> & Partial<Pick<SummaryMaterial, 'workspaceRules'>>,
  options: Pick<SummaryOptions, 'sizeOf' | 'isSecret' | 'focus'>,
): WrittenSummary {
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
  const text = enrich([covering.text, ...later].join('\n\n'), {
    messages: [],
    turnPrefix: null,
    newestAsk,
    important,
    recentTurns: [],
    workspaceRules,
  })
  return { text, source: 'checkpoint', by: null, calls: 0, inputTokens: 0, outputTokens: 0, notes: [] }
}
