import { type Checkpoint, checkpointText } from '../../core/memory/checkpoint'
import { digest, digestBudget } from '../../core/summary/digest'
import { enrich } from '../../core/summary/enrich'
import type { SourceMessage } from '../../core/summary/source-message'
import type { Tokens } from '../../core/units/units'
import type { SummaryMaterial, SummaryOptions, WrittenSummary } from '../summary/write-summary'

/** A text that replaces the beginning of a conversation already: a checkpoint, or a rolling summary. */
export type CheckpointText = {
  readonly text: string
  readonly tokens: Tokens
  /** Index of the last message that it covers. */
  readonly uptoSeq: number
}

/** A checkpoint as such a text, wherever its last message is. */
export function textOfCheckpoint({ body, tokens }: Checkpoint): Omit<CheckpointText, 'uptoSeq'> {
  return { text: checkpointText(body), tokens }
}

/** The one that goes furthest. */
export function newestCheckpoint(found: readonly CheckpointText[]): CheckpointText | null {
  return found.toSorted((a, b) => b.uptoSeq - a.uptoSeq)[0] ?? null
}

/** The summary of a compaction that a text covers for the most part: that text, and a digest of what came after it. */
export function checkpointSummary(
  covering: CheckpointText,
  uncovered: readonly SourceMessage[],
  {
    newestAsk,
    important,
    workspaceRules = null,
  }: Pick<SummaryMaterial, 'newestAsk' | 'important'> & Partial<Pick<SummaryMaterial, 'workspaceRules'>>,
  options: Pick<SummaryOptions, 'sizeOf' | 'mask' | 'isSecret' | 'focus'>,
): WrittenSummary {
  const { sizeOf, mask, isSecret, focus } = options
  const tokens = uncovered.reduce((sum, { text }) => sum + sizeOf(text), 0)
  const later =
    uncovered.length === 0
      ? []
      : [
          digest(uncovered, {
            budget: digestBudget(tokens),
            sizeOf,
            mask,
            isSecret,
            ...(focus === null ? {} : { focus }),
          }),
        ]
  const text = enrich([mask(covering.text), ...later].join('\n\n'), {
    messages: [],
    turnPrefix: null,
    newestAsk: newestAsk === null ? null : mask(newestAsk),
    important: important?.map(mask),
    recentTurns: [],
    workspaceRules: workspaceRules === null ? null : mask(workspaceRules),
  })
  return { text, source: 'checkpoint', by: null, calls: 0, inputTokens: 0, outputTokens: 0, notes: [] }
}
