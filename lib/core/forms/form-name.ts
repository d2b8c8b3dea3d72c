/**
 * Forms in which agents keep their messages, each named after the API or library that defines it. `pi` is OpenClaw's
 * as well; `plain` is a role and a text, which every API with roles takes.
 * @example
 * ```ts
 * import { FORM_NAMES, type FormName } from 'plimsoll-agent'
 *
 * const isForm = (name: string): name is FormName => FORM_NAMES.some((form) => form === name)
 * ```
 */
export const FORM_NAMES = [
  'anthropic',
  'openai-chat',
  'openai-responses',
  'ai-sdk',
  'ai-sdk-ui',
  'pi',
  'plain',
] as const

/** The name of a form of messages; see `FORM_NAMES`. */
export type FormName = (typeof FORM_NAMES)[number]

/** What a form is called in sentences. */
export const FORM_TITLES: { readonly [F in FormName]: string } = {
  anthropic: 'Anthropic Messages',
  'openai-chat': 'OpenAI Chat Completions',
  'openai-responses': 'OpenAI Responses items',
  'ai-sdk': 'AI SDK ModelMessage',
  'ai-sdk-ui': 'AI SDK UIMessage',
  pi: 'pi and OpenClaw',
  plain: 'plain texts with a role',
}
