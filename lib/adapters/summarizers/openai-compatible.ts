import { isObject, stringOf } from '../../core/transcript/json'
import type { Summarizer } from '../../engine/summary/summarizer'
import { failed, keyHeaders } from './http-json'
import { countedUsage, httpSummarizer } from './http-summarizer'

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
  return httpSummarizer({
    ...{ name, url, path: '/chat/completions', headers: keyHeaders(key), withheld },
    body: ({ prompt, maxTokens }) => ({
      model,
      max_completion_tokens: maxTokens,
      messages: [
        { role: 'system', content: prompt.system },
        { role: 'user', content: prompt.user },
      ],
    }),
    read: ({ choices, usage }) => {
      const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
      const message = isObject(choice) && isObject(choice.message) ? choice.message : null
      if (message === null) return failed('bad-answer', `${name} answered without a choice.`)
      const counted = isObject(usage) ? countedUsage(usage.prompt_tokens, usage.completion_tokens) : null
      return { ok: true, text: stringOf(message.content) ?? '', usage: counted }
    },
  })
}
