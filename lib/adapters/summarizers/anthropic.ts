import { isObject, numberOf, stringOf } from '../../core/transcript/json'
import type { Summarizer } from '../../engine/summary/summarizer'
import { failed, postJson } from './http-json'

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
  return {
    name,
    address: url,
    summarize: async ({ prompt, maxTokens, timeoutMs, signal }) => {
      const answer = await postJson({
        name,
        url: `${url.replace(/\/+$/, '')}/v1/messages`,
        headers: { ...(key === null ? {} : { 'x-api-key': key }), 'anthropic-version': API_VERSION },
        body: {
          model,
          max_tokens: maxTokens,
          system: prompt.system,
          messages: [{ role: 'user', content: prompt.user }],
        },
        timeoutMs,
        signal,
        withheld,
      })
      if (!answer.ok) return answer
      const { content, usage } = answer.body
      if (!Array.isArray(content)) return failed('bad-answer', `${name} answered without content.`)
      const text = content
        .flatMap((block: unknown) =>
          isObject(block) && block.type === 'text' ? (stringOf(block.text) ?? '') : [],
        )
        .join('')
      const input = isObject(usage) ? numberOf(usage.input_tokens) : undefined
      const output = isObject(usage) ? numberOf(usage.output_tokens) : undefined
      return { ok: true, text, usage: input === undefined || output === undefined ? null : { input, output } }
    },
  }
}
