import type { AgentContext } from './agent-context'
import { isLangChain, LangChainMessages } from './langchain'

/**
 * A function from messages to the messages to send: what LangGraph takes as a hook before the model, and LangChain in the
 * place of `trimMessages`. Messages of LangChain come back as such, those that nothing was done to as the same objects;
 * messages of any other form go through `context.fit` as they are. Usage that answers of LangChain carry is reported.
 * @example
 * ```ts
 * import { createContext, fitMessages } from 'plimsoll-agent'
 *
 * // import { createReactAgent } from '@langchain/langgraph/prebuilt'
 * declare function createReactAgent(given: {
 *   preModelHook: (state: { messages: object[] }) => Promise<{ llmInputMessages: object[] }>
 * }): object
 * const fit = fitMessages(createContext({ model: 'claude-sonnet-4-5' }))
 * const agent = createReactAgent({
 *   preModelHook: async ({ messages }) => ({ llmInputMessages: await fit(messages) }),
 * })
 * ```
 */
export function fitMessages(
  context: AgentContext,
): <M extends object>(messages: readonly M[], options?: { readonly signal?: AbortSignal }) => Promise<M[]> {
  const known = new LangChainMessages()
  return async <M extends object>(messages: readonly M[], options = {}) => {
    if (!messages.some(isLangChain)) {
      const { messages: plain, system } = await context.fit(messages, options)
      return system === '' ? plain : [{ role: 'system', content: system } as object as M, ...plain]
    }
    const usage = known.newUsage(messages)
    if (usage !== null) context.report(usage)
    const { messages: fitted, system } = await context.fit(
      messages.map((message) => known.read(message)),
      options,
    )
    const front = system === '' ? [] : [known.systemLike(messages, system)]
    return [...front, ...fitted.map((message) => known.made(message, messages))] as M[]
  }
}
