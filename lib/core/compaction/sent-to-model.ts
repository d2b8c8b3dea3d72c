import type { Tokens } from '../units/units'
import type { CompactionPlan } from './plan'

/** What of a session goes to the model that writes its summary. */
export type SentToModel = {
  readonly requests: number
  /** Messages, earlier summaries among them. */
  readonly messages: number
  /** Estimated. */
  readonly tokens: Tokens
}

/** What a plan sends to a model; null where it asks none. */
export function sentToModel({ cost, requests }: CompactionPlan): SentToModel | null {
  if (cost.calls === 0) return null
  const { pruned, parts, prefix } = requests
  const messages = new Set([...pruned, ...parts.flat(), ...prefix]).size
  return { requests: cost.calls, messages, tokens: cost.inputTokens }
}
