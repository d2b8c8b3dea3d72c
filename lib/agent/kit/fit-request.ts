import { isObject } from '../../core/transcript/json'
import type { AgentContext } from './agent-context'
import { ContextOptionError, shownValue } from './option-error'

/** What of a request is read here: Anthropic Messages, OpenAI Chat Completions or OpenAI Responses. */
export type FittableRequest = {
  readonly model?: unknown
  /** Of Anthropic and Chat Completions. */
  readonly messages?: readonly object[]
  /** Of Responses. */
  readonly input?: string | readonly object[]
  /** Of Anthropic. */
  readonly system?: unknown
  /** Of Responses. */
  readonly instructions?: unknown
  readonly tools?: unknown
}

/** Fields by which Responses go on from what OpenAI has kept: nothing of that can be left out of a request. */
const KEPT_THERE = ['previous_response_id', 'conversation'] as const

/**
 * The parameters of `anthropic.messages.create`, `openai.chat.completions.create` or `openai.responses.create`, with the
 * messages that fit. System prompt, instructions and tools are counted; whatever else is in them stays as it is. Give
 * the whole conversation each time, as with `context.fit`.
 * @throws ContextOptionError for parameters without messages, and for those that go on from what OpenAI has kept
 * @example
 * ```ts
 * import { createContext, fitRequest } from 'plimsoll-agent'
 *
 * // import Anthropic from '@anthropic-ai/sdk'
 * declare const anthropic: { messages: { create(params: object): Promise<{ content: object[]; usage: object }> } }
 * const context = createContext({ model: 'claude-sonnet-4-5' })
 * const messages: object[] = [{ role: 'user', content: 'Which berth is free?' }]
 * const params = { model: 'claude-sonnet-4-5', max_tokens: 4096, system: 'You keep the log.', messages }
 * const answer = await anthropic.messages.create(await fitRequest(context, params))
 * context.report(answer.usage)
 * messages.push({ role: 'assistant', content: answer.content })
 * ```
 */
export async function fitRequest<P extends FittableRequest>(
  context: AgentContext,
  params: P,
  options: { readonly signal?: AbortSignal } = {},
): Promise<P> {
  const { messages, input, instructions, tools } = params
  const system = params.system ?? instructions
  if (messages !== undefined) {
    const fitted = await context.fit(messages, { system, tools, ...options })
    const own = fitted.system
    if (own === '') return { ...params, messages: fitted.messages }
    return isAnthropic(params)
      ? { ...params, system: before(own, params.system), messages: fitted.messages }
      : { ...params, messages: [{ role: 'system', content: own }, ...fitted.messages] }
  }
  if (input === undefined)
    throw new ContextOptionError(
      'messages',
      `fitRequest was given ${shownValue(params)}: it has to have \`messages\` (Anthropic, Chat Completions) or \`input\` (Responses).`,
    )
  for (const name of KEPT_THERE)
    if ((params as { readonly [name: string]: unknown })[name] != null)
      throw new ContextOptionError(
        name,
        `\`${name}\` lets OpenAI keep the conversation, so nothing can be left out of it here: give the whole conversation as \`input\`, and leave \`${name}\` out.`,
      )
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input
  const fitted = await context.fit(items, { system, tools, ...options })
  const isAsGiven =
    typeof input === 'string' && fitted.messages.length === 1 && fitted.messages[0] === items[0]
  return {
    ...params,
    input: isAsGiven ? input : fitted.messages,
    ...(fitted.system === '' ? {} : { instructions: before(fitted.system, instructions) }),
  }
}

/** Anthropic has the system prompt beside the messages, and its requests name the most that is answered. */
function isAnthropic(params: FittableRequest): boolean {
  const { model } = params
  return (
    params.system !== undefined ||
    ('max_tokens' in params && typeof model === 'string' && /claude/i.test(model))
  )
}

function before(own: string, given: unknown): unknown {
  if (Array.isArray(given)) return [{ type: 'text', text: own }, ...given]
  const text = isObject(given) || given == null ? '' : String(given)
  return [own, text].filter(Boolean).join('\n\n')
}
