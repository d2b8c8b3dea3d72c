import { CONTENT_FORM } from '../agent/content-form'
import { ContextManager } from '../agent/context-manager'
import type { LiveAgent } from '../agent/live-agent'
import type { ContextManagerOptions } from '../agent/manager-options'
import type { ContentMessage } from '../core/history/thinking'
import type { Policy } from '../core/policy/policy'
import { estimateUnits } from '../core/tokens/estimate'

/** Turns of a user, a call with its result, and an answer; about 330 tokens each. */
export function turnsOf(count: number, words = 200, what = 'step'): ContentMessage[] {
  return Array.from({ length: count }, (_, i): ContentMessage[] => [
    { role: 'user', content: `Please do ${what} ${i} in src/${what}${i}.ts.` },
    {
      role: 'assistant',
      calls: [{ id: `c${i}` }],
      content: [{ type: 'toolCall', id: `c${i}`, name: 'read', arguments: { path: `src/${what}${i}.ts` } }],
    },
    { role: 'toolResult', resultFor: `c${i}`, content: `result ${i} ${'data '.repeat(words)}` },
    { role: 'assistant', content: `We decided to keep ${what} ${i} because it works.` },
  ]).flat()
}

export const contentText = ({ content }: ContentMessage): string =>
  typeof content === 'string' ? content : JSON.stringify(content)

export const sizeOf = (message: ContentMessage): number => estimateUnits(contentText(message)) + 4

/** An agent with a conversation, whose context a manager keeps; `log` tells what was done in its order. */
export function liveAgent(
  messages: readonly ContentMessage[],
  policy: Policy,
  more: Partial<LiveAgent<ContentMessage>> &
    Partial<Pick<ContextManagerOptions<ContentMessage>, 'window' | 'promptCache' | 'scope'>> = {},
) {
  const { window = 32_000, promptCache = null, scope, ...rest } = more
  const held = { messages: [...messages] as readonly ContentMessage[], sets: 0, log: [] as string[] }
  const agent: LiveAgent<ContentMessage> = {
    session: 'agent:harbour:main',
    getContext: () => held.messages,
    setContext: (next) => {
      held.messages = next
      held.sets += 1
    },
    form: CONTENT_FORM,
    clock: { now: () => Date.parse('2026-11-21T10:00:00Z') },
    onStep: (step) => held.log.push(step),
    ...rest,
  }
  const context = new ContextManager<ContentMessage>({
    policy,
    window,
    key: null,
    tokensOf: sizeOf,
    promptCache,
    scope,
    agent,
  })
  return { held, context }
}
