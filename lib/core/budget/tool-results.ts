import type { EntryTokens } from '../tokens/frame-entries'
import type { Tokens } from '../units/units'

/** What the results of one tool hold of a context. */
type ToolHolding = { readonly tool: string; readonly results: number; readonly tokens: Tokens }

/** What all tool results hold of a context. Tokens, scaled to the frame like the entries they come from. */
export type ToolResultReport = {
  readonly tokens: Tokens
  readonly results: number
  readonly byTool: readonly ToolHolding[]
}

/** What tool results hold of a context. Results that are not sent hold nothing. */
export function toolResultReport(entries: readonly EntryTokens[]): ToolResultReport {
  return heldByTools(
    entries.flatMap(({ entry, byCategory }) => {
      const tokens = byCategory['tool-result'] ?? 0
      if (!entry.sent || (tokens === 0 && entry.fact.role !== 'toolResult')) return []
      return [{ tool: entry.fact.toolName ?? UNKNOWN_TOOL, tokens }]
    }),
  )
}

/** How a result is listed that does not say which tool it comes from. */
export const UNKNOWN_TOOL = 'unknown'

/** Adds up results by tool, the largest first. */
export function heldByTools(
  results: readonly { readonly tool: string; readonly tokens: Tokens }[],
): ToolResultReport {
  const byTool = new Map<string, { results: number; tokens: Tokens }>()
  for (const { tool, tokens } of results) {
    const holding = byTool.get(tool) ?? { results: 0, tokens: 0 }
    byTool.set(tool, { results: holding.results + 1, tokens: holding.tokens + tokens })
  }
  const list = [...byTool].map(([tool, holding]) => ({ tool, ...holding }))
  list.sort((a, b) => b.tokens - a.tokens || a.tool.localeCompare(b.tool))
  return {
    tokens: list.reduce((sum, { tokens }) => sum + tokens, 0),
    results: list.reduce((sum, { results: count }) => sum + count, 0),
    byTool: list,
  }
}
