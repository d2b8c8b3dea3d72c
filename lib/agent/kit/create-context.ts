import { AgentContext } from './agent-context'
import type { ContextOptions } from './context-options'
import { openSetup } from './open-setup'

/**
 * A context for one conversation with a model: `fit` says which messages to send, `report` takes what they came to.
 * Window and price are those of the model, what is dropped is kept in memory, a digest is the summary: no file is
 * written and no model asked unless an option says so.
 * @throws ContextOptionError for an option that is not known or cannot be used; WindowRefused for a window in which the
 * policy lets nothing run
 * @example
 * ```ts
 * import { createContext } from 'plimsoll-agent/core'
 *
 * const context = createContext({ model: 'claude-sonnet-4-5', onWarning: console.warn })
 * const { messages: sent } = await context.fit([{ role: 'user', content: 'Which berth is free?' }])
 * ```
 */
export function createContext(options: ContextOptions): AgentContext {
  return new AgentContext(openSetup(options))
}
