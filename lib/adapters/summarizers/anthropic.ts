import { isObject, stringOf } from '../../core/transcript/json'
import type { Summarizer } from '../../engine/summary/summarizer'
import { failed } from './http-json'
import { countedUsage, httpSummarizer } from './http-summarizer'

export const ANTHROPIC_URL = 'https://api.anthropic.com'
/** The version of the Messages API whose shapes are used here. */
const API_VERSION = '2023-06-01'

/** A model behind Anthropic's `POST /v1/messages`. */
export function anthropicSummarizer(options: {
  readonly model: string
  /** null: none is sent. */
  readonly key: string | null
  readonly url?: string
  readonly withheld?: string | null
}): Summarizer {
  const { model, key, url = ANTHROPIC_URL, withheld } = options
  const name = `anthropic/${model}`
  return httpSummarizer({
    ...{ name, url, path: '/v1/messages', withheld },
    headers: { ...(key === null ? {} : { 'x-api-key': key }), 'anthropic-version': API_VERSION },
    body: ({ prompt, maxTokens }) => ({
      model,
      max_tokens: maxTokens,
      system: prompt.system,
      messages: [{ role: 'user', content: prompt.user }],
    }),
    read: ({ content, usage }) => {
      if (!Array.isArray(content)) return failed('bad-answer', `${name} answered without content.`)
      const text = content
        .flatMap((block: unknown) =>
          isObject(block) && block.type === 'text' ? (stringOf(block.text) ?? '') : [],
        )
        .join('')
      const counted = isObject(usage) ? countedUsage(usage.input_tokens, usage.output_tokens) : null
      return { ok: true, text, usage: counted }
    },
  })
}
