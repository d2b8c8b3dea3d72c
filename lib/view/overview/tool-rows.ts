import type { ToolSum } from '../../core/transcript/fold/tool-sum'
import { toCsv } from '../text/csv'
import { shownText } from '../text/shown-text'

/** A tool as the list of the heaviest shows it. Tokens are estimated. */
export type ToolRow = ToolSum & {
  /** Of everything that was sent in the period; null when nothing was. A part of it may be older than the period. */
  readonly share: number | null
  /** The sessions that used it; null where its name holds a credential. */
  readonly href: string | null
}

/** @param sent tokens that were sent in the period, as reported */
export function toolRows(tools: readonly ToolSum[], sent: number): readonly ToolRow[] {
  return tools.map((sum) => {
    const tool = shownText(sum.tool)
    return {
      ...sum,
      tool,
      share: sent === 0 ? null : Math.min(1, sum.sentTokens / sent),
      href: tool === sum.tool ? `/sessions?${new URLSearchParams({ tool, sort: 'cost' })}` : null,
    }
  })
}

/** The list as CSV. */
export function toolsCsv(rows: readonly ToolRow[]): string {
  return toCsv(
    ['tool', 'sessions', 'calls', 'failed', 'tokens of results ≈', 'largest result ≈', 'tokens sent ≈'],
    rows.map(({ tool, sessions, calls, failed, resultTokens, largest, sentTokens }) => [
      ...[tool, sessions, calls, failed, resultTokens, largest, sentTokens],
    ]),
  )
}
