import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { loopbackServices } from '../../testing/loopback'
import { anthropicSummarizer } from './anthropic'
import { chooseSummarizer } from './choose-summarizer'
import { ollamaSummarizer } from './ollama'
import { openSummaryChain } from './open-summary-chain'
import { openAiSummarizer } from './openai-compatible'
import { type PairedKey, providerKey } from './provider-key'

type Seen = { path: string; headers: IncomingMessage['headers']; body: Record<string, unknown> }
type Handler = (response: ServerResponse, seen: Seen) => void

const open = loopbackServices()

/** A real server on loopback that answers every request by `handler`. */
async function serve(handler: Handler): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = []
  const url = await open(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const one = { path: request.url ?? '', headers: request.headers, body: JSON.parse(text) }
    seen.push(one)
    handler(response, one)
  })
  return { url, seen }
}

const json =
  (body: object, status = 200): Handler =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }

const request = { prompt: { system: 'S', user: 'U' }, maxTokens: 50, timeoutMs: 2_000 }

describe('U1, U4: the vendors’ published shapes', () => {
  test('Ollama', async () => {
    const { url, seen } = await serve(
      json({
        message: { role: 'assistant', content: 'short' },
        done: true,
        prompt_eval_count: 12,
        eval_count: 3,
      }),
    )
    const reply = await ollamaSummarizer({ model: 'qwen2.5:7b', url }).summarize(request)
    expect(reply).toEqual({ ok: true, text: 'short', usage: { input: 12, output: 3 } })
    expect(seen[0]).toMatchObject({
      path: '/api/chat',
      body: {
        model: 'qwen2.5:7b',
        stream: false,
        messages: [
          { role: 'system', content: 'S' },
          { role: 'user', content: 'U' },
        ],
      },
    })
  })

  test('OpenAI-compatible, MiniMax among them', async () => {
    const { url, seen } = await serve(
      json({
        choices: [{ message: { role: 'assistant', content: 'short' } }],
        usage: { prompt_tokens: 9, completion_tokens: 2 },
      }),
    )
    const chosen = chooseSummarizer({
      model: 'minimax/MiniMax-M2.1',
      url: `${url}/v1`,
      keyOf: (name) => (name === 'MINIMAX_API_KEY' ? 'k1' : undefined),
      paired: [{ variable: 'MINIMAX_API_KEY', origin: url }],
    })
    expect(await chosen?.summarize(request)).toEqual({
      ok: true,
      text: 'short',
      usage: { input: 9, output: 2 },
    })
    expect(seen[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer k1' },
      body: { model: 'MiniMax-M2.1', max_completion_tokens: 50 },
    })
  })

  test('Anthropic', async () => {
    const { url, seen } = await serve(
      json({
        content: [
          { type: 'text', text: 'sh' },
          { type: 'text', text: 'ort' },
        ],
        usage: { input_tokens: 7, output_tokens: 2 },
      }),
    )
    const reply = await anthropicSummarizer({ model: 'claude-haiku-4-5', key: 'k2', url }).summarize(request)
    expect(reply).toEqual({ ok: true, text: 'short', usage: { input: 7, output: 2 } })
    expect(seen[0]).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': 'k2', 'anthropic-version': '2023-06-01' },
      body: { max_tokens: 50, system: 'S', messages: [{ role: 'user', content: 'U' }] },
    })
  })
})

describe('what goes wrong is said, and ends', () => {
  const ask = async (handler: Handler, more: object = {}) => {
    const { url } = await serve(handler)
    const summarizer = openAiSummarizer({ provider: 'server', model: 'm', url, key: 'secret-key-1' })
    return summarizer.summarize({ ...request, timeoutMs: 20_000, ...more })
  }

  test.each<[string, Handler, string, boolean]>([
    ['hangs', () => undefined, 'timeout', false],
    [
      'streams for ever',
      (response) => {
        response.writeHead(200)
        const timer = setInterval(() => response.write(' '), 20)
        response.on('close', () => clearInterval(timer))
      },
      'timeout',
      false,
    ],
    ['answers with 10 MB', (response) => response.end('x'.repeat(10_000_000)), 'too-long', false],
    ['answers with a web page', (response) => response.end('<html>Bad gateway</html>'), 'bad-answer', false],
    ['answers with nothing', (response) => response.end(''), 'bad-answer', false],
    ['answers without a choice', json({ choices: [] }), 'bad-answer', false],
    ['refuses the key', json({ error: { message: 'invalid api key' } }, 401), 'refused-key', false],
    ['limits the rate', json({ error: { message: 'Rate limit reached' } }, 429), 'rate-limit', true],
    ['is broken', json({ error: 'oops' }, 500), 'http', true],
    [
      'finds it too long',
      json({ error: { message: 'maximum context length is 8192 tokens' } }, 400),
      'overflow',
      false,
    ],
    [
      'sends on to another host',
      (response) => {
        response.writeHead(307, { location: 'http://other.example/v1' })
        response.end()
      },
      'redirect',
      false,
    ],
  ])('a service that %s', async (_what, handler, fault, again) => {
    const reply = await ask(handler, fault === 'timeout' ? { timeoutMs: 400 } : {})
    expect(reply).toMatchObject({ ok: false, fault, again })
    expect(JSON.stringify(reply)).not.toContain('secret-key-1')
  })

  test('no server listens', async () => {
    const reply = await openAiSummarizer({
      provider: 'server',
      model: 'm',
      url: 'http://127.0.0.1:9',
      key: null,
    }).summarize(request)
    expect(reply).toMatchObject({ ok: false, fault: 'unreachable', again: true })
  })

  test('stopped by the operator', async () => {
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 50)
    expect(await ask(() => undefined, { signal: stop.signal, timeoutMs: 5_000 })).toMatchObject({
      fault: 'aborted',
      again: false,
    })
  })

  test('U5: a missing key names its variable, an unknown provider its address', async () => {
    const keyOf = () => undefined
    expect(
      await chooseSummarizer({ model: 'anthropic/claude-haiku-4-5', url: '', keyOf })?.summarize(request),
    ).toMatchObject({
      fault: 'no-key',
      message: expect.stringContaining('ANTHROPIC_API_KEY'),
    })
    expect(await chooseSummarizer({ model: 'acme/m', url: '', keyOf })?.summarize(request)).toMatchObject({
      message: expect.stringContaining('summary.url'),
    })
    expect(chooseSummarizer({ model: '', url: '', keyOf })).toBeNull()
  })
})

describe('U5: a key goes to its provider’s own host only', () => {
  const key = ['k', 'e', 'y', '-', Math.random().toString(36).slice(2)].join('')
  const keyOf = () => key
  const ollama: Handler = json({ message: { content: 'short' } })
  const refusing: Handler = json({ error: { message: 'no key given' } }, 401)
  const ask = async (model: string, handler: Handler, paired: (url: string) => readonly PairedKey[]) => {
    const { url, seen } = await serve(handler)
    const summarizer = chooseSummarizer({ model, url, keyOf, paired: paired(url) })
    return { reply: await summarizer?.summarize(request), seen, url, address: summarizer?.address }
  }

  test.each(['openai/gpt-5', 'anthropic/claude-haiku-4-5', 'minimax/m', 'mine', 'ollama/m'])(
    '%s at another address gets none, and the refusal says why',
    async (model) => {
      const { reply, seen, url, address } = await ask(model, refusing, () => [])
      expect(address).toBe(url)
      expect(seen).toHaveLength(1)
      expect(JSON.stringify(seen)).not.toContain(key)
      expect(reply).toMatchObject({ fault: 'refused-key' })
      if (['openai/gpt-5', 'anthropic/claude-haiku-4-5', 'minimax/m'].includes(model))
        expect(reply).toMatchObject({ message: expect.stringContaining(`url: ${url} }]`) })
    },
  )

  test.each(['openai/gpt-5', 'anthropic/claude-haiku-4-5', 'mine', 'ollama/m'])(
    '%s gets the one that is paired with that scheme, host and port, and no other',
    async (model) => {
      const other = () => [{ variable: 'X', origin: 'http://127.0.0.1:1' }]
      expect(JSON.stringify((await ask(model, refusing, other)).seen)).not.toContain(key)
      const { seen } = await ask(model, ollama, (url) => [{ variable: 'X', origin: url }])
      expect(JSON.stringify(seen)).toContain(key)
    },
  )

  test('at its own host the provider’s key is the one that is sent, whatever is written behind the host', () => {
    expect(providerKey('openai', 'https://api.openai.com/v1', { keyOf })).toEqual({ key, withheld: null })
    for (const address of [
      'http://api.openai.com/v1',
      'https://api.openai.com.evil.example/v1',
      'https://api.openai.com:8443/v1',
      'https://evil.example/api.openai.com',
      'https://api.openai.com@evil.example/v1',
      'https://api.anthropic.com/v1',
      'not an address',
    ])
      expect(providerKey('openai', address, { keyOf }).key).toBeNull()
    expect(providerKey('constructor', 'https://api.openai.com/v1', { keyOf }).key).toBeNull()
  })

  test('is not carried along when a service sends on to another address', async () => {
    const other = await serve(ollama)
    const { reply } = await ask(
      'openai/gpt-5',
      (response) => response.writeHead(307, { location: `${other.url}/v1` }).end(),
      (url) => [{ variable: 'X', origin: url }],
    )
    expect(reply).toMatchObject({ fault: 'redirect' })
    expect(other.seen).toEqual([])
  })
})

describe('U2: the agent’s own model behind the chosen one', () => {
  const chosen = (model: string) => ({
    summary: { ...DEFAULT_POLICY.summary, model, url: 'http://127.0.0.1:9', fallbackToMain: true },
  })
  const keyOf = (name: string) => (name === 'ANTHROPIC_API_KEY' ? 'k' : undefined)
  const namesOf = (model: string, main: string | null) =>
    openSummaryChain(chosen(model), keyOf, main)?.models.map(({ name }) => name)

  test('is in the chain where its key is set, once, and alone where none is chosen', () => {
    const both = ['ollama/qwen2.5:7b', 'anthropic/claude-sonnet-4-5']
    expect(namesOf('ollama/qwen2.5:7b', 'anthropic/claude-sonnet-4-5')).toEqual(both)
    for (const main of [null, 'openai/gpt-5.1', 'fake/fake-1', 'claude-sonnet-4-5', 'constructor/x'])
      expect(namesOf('ollama/qwen2.5:7b', main)).toEqual(['ollama/qwen2.5:7b'])
    expect(namesOf('anthropic/claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5')).toHaveLength(1)
    expect(namesOf('', 'anthropic/claude-sonnet-4-5')).toEqual(['anthropic/claude-sonnet-4-5'])
    expect(namesOf('', 'fake/fake-1')).toBeUndefined()
    expect(namesOf('', null)).toBeUndefined()
  })

  test('is asked only where the policy lets it be', () => {
    const summary = { ...chosen('').summary, fallbackToMain: false }
    expect(openSummaryChain({ summary }, keyOf, 'anthropic/claude-sonnet-4-5')).toBeNull()
    expect(openSummaryChain(DEFAULT_POLICY, keyOf, 'anthropic/claude-sonnet-4-5')).toBeNull()
  })

  test('may be one of Google', () => {
    const key = (name: string) => (name === 'GEMINI_API_KEY' ? 'k' : undefined)
    const models = openSummaryChain(chosen(''), key, 'google/gemini-2.5-pro')?.models
    expect(models?.map(({ name }) => name)).toEqual(['google/gemini-2.5-pro'])
  })
})
