import { heldByTools, type ToolResultReport, UNKNOWN_TOOL } from '../core/budget/tool-results'
import type { ContentMessage } from '../core/history/thinking'
import type { LadderParts } from './ladder-parts'

/** What tool results hold of a live conversation, by tool (B8). Tools are named by the results, else by their calls. */
export async function heldResults<M extends ContentMessage>({
  agent,
  form,
}: Pick<LadderParts<M>, 'agent' | 'form'>): Promise<ToolResultReport> {
  const messages = await agent.getContext()
  const names = new Map<string, string>()
  return heldByTools(
    messages.flatMap((message, index) => {
      const source = form.toSource(message, index)
      for (const { id, name } of source?.calls ?? []) names.set(id, name)
      if (source?.role !== 'toolResult') return []
      const tool = source.toolName ?? names.get(source.resultFor ?? '') ?? UNKNOWN_TOOL
      return [{ tool, tokens: form.tokensOf(message) }]
    }),
  )
}
