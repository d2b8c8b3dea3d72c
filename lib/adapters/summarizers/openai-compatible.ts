import { isObject, numberOf, stringOf } from '../../core/transcript/json'
import type { Summarizer } from '../../engine/summary/summarizer'
import { failed, postJson } from './http-json'

/** Services that speak OpenAI's chat completions, and where. */
export const OPENAI_COMPATIBLE_URLS: Readonly<Record<string, string>> = {
  openai: 'https://api.openai.com/v1',
  openrouter: 'https://openrouter.ai/api/v1',
  minimax: 'https://api.minimax.io/v1',
  groq: 'https://api.groq.com/openai/v1',
  mistral: 'https://api.mistral.ai/v1',
  deepseek: 'https://api.deepseek.com/v1',
  xai: 'https://api.x.ai/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta/openai',
  cerebras: 'https://api.cerebras.ai/v1',
  zai: 'https://api.z.ai/api/paas/v4',
  moonshot: 'https://api.moonshot.ai/v1',
}

/** A model behind `POST {url}/chat/completions`. A user's server may need no key. */
export function openAiSummarizer(options: {
  readonly provider: string
  readonly model: string
  readonly url: string
  readonly key: string | null
  readonly withheld?: string | null
}): Summarizer {
  const { provider, model, url, key, withheld } = options
  const name = `${provider}/${model}`
  return {
    name,
    address: url,
    summarize: async ({ prompt, maxTokens, timeoutMs, signal }) => {
      const answer = await postJson({
        name,
        url: `${url.replace(/\/+$/, '')}/chat/completions`,
        headers: key === null ? {} : { authorization: `Bearer ${key}` },
        body: {
          model,
          max_completion_tokens: maxTokens,
          messages: [
            { role: 'system', content: prompt.system },
            { role: 'user', content: prompt.user },
          ],
        },
        timeoutMs,
        signal,
        withheld,
      })
      if (!answer.ok) return answer
      const { choices, usage } = answer.body
      const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
      const message = isObject(choice) && isObject(choice.message) ? choice.message : null
      if (message === null) return failed('bad-answer', `${name} answered without a choice.`)
      const input = isObject(usage) ? numberOf(usage.prompt_tokens) : undefined
      const output = isObject(usage) ? numberOf(usage.completion_tokens) : undefined
      return {
        ok: true,
        text: stringOf(message.content) ?? '',
        usage: input === undefined || output === undefined ? null : { input, output },
      }
    },
  }
}
