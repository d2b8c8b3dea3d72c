import { isObject, numberOf, stringOf } from '../../core/transcript/json'
import type { Summarizer } from '../../engine/summary/summarizer'
import { failed, keyHeaders } from './http-json'
import { httpSummarizer } from './http-summarizer'

/** Where Ollama listens by default. */
export const OLLAMA_URL = 'http://localhost:11434'

/** A model that Ollama serves: `POST /api/chat`, answered in one piece. A key is sent where one is paired with it. */
export function ollamaSummarizer(options: {
  readonly model: string
  readonly url?: string
  readonly key?: string | null
}): Summarizer {
  const { model, url = OLLAMA_URL, key = null } = options
  const name = `ollama/${model}`
  return httpSummarizer({
    ...{ name, url, path: '/api/chat', headers: keyHeaders(key) },
    body: ({ prompt, maxTokens }) => ({
      model,
      stream: false,
      options: { num_predict: maxTokens, temperature: 0 },
      messages: [
        { role: 'system', content: prompt.system },
        { role: 'user', content: prompt.user },
      ],
    }),
    read: ({ message, prompt_eval_count: input, eval_count: output }) => {
      const text = isObject(message) ? stringOf(message.content) : undefined
      if (text === undefined) return failed('bad-answer', `${name} answered without a message.`)
      const usage = { input: numberOf(input) ?? 0, output: numberOf(output) ?? 0 }
      return { ok: true, text, usage: usage.input + usage.output > 0 ? usage : null }
    },
  })
}
