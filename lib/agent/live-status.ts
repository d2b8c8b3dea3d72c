import { heldByTools, type ToolResultReport, UNKNOWN_TOOL } from '../core/budget/tool-results'
import type { ContentMessage } from '../core/history/thinking'
import { contradictions } from '../core/policy/check'
import { chunkGroups } from '../core/pruning/chunk-groups'
import { checkHealth, type Health } from '../engine/logs/check-health'
import { countLiveCold } from './cold/cold-memory'
import { windowWord } from './live-gauge'
import { currentCheck, type LiveParts } from './live-parts'
import { rolledView } from './rolling-summary'

/** The state of a live context. */
export type LiveStatus = Health & {
  readonly compactions: number
  /** Turns since the last one. */
  readonly turns: number
  /** A window that is too small, and values of the policy that contradict each other, a sentence each. */
  readonly warnings: readonly string[]
}

export async function liveStatus<M extends ContentMessage>(parts: LiveParts<M>): Promise<LiveStatus> {
  const { agent, state, form, policy, window, cold } = parts
  const { tokens } = await currentCheck(parts, [])
  const { rolling, compactions, turns } = await state.get()
  const { rest } = rolledView(await agent.getContext(), rolling, form)
  const stored = cold === null ? null : await countLiveCold(cold, agent.session)
  const chunks = { held: chunkGroups(rest).length, cold: stored }
  const word = windowWord(policy, window)
  const warnings = [
    ...(word === null ? [] : [word.message]),
    ...contradictions(policy).map(({ message }) => `The policy contradicts itself: ${message}.`),
  ]
  return {
    ...checkHealth({ policy, origin: {}, runtime: null }, agent.session, window, tokens, chunks),
    compactions,
    turns,
    warnings,
  }
}

/** What tool results hold of a live conversation, by tool. Tools are named by the results, else by their calls. */
export async function heldResults<M extends ContentMessage>({
  agent,
  form,
}: Pick<LiveParts<M>, 'agent' | 'form'>): Promise<ToolResultReport> {
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
