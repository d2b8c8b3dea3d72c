import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { ChunkIndex } from '../../core/relevance/chunk-index'
import type { Embedder } from '../../engine/relevance/embedder'
import { EmbeddingCache } from '../../engine/relevance/embedding-cache'
import { OWN_LIKENESS, promptLikeness } from '../../engine/relevance/prompt-likeness'
import { loopbackServices } from '../../testing/loopback'
import { sha256 } from '../write/sha256'
import { hashEmbedder } from './hash'
import { ollamaEmbedder } from './ollama'
import { openAiEmbedder } from './openai-compatible'

type Seen = { path: string; headers: IncomingMessage['headers']; body: { model: string; input: string[] } }

const open = loopbackServices()

/** A real server on loopback; an answer of null never comes. */
async function serve(answer: (input: string[]) => object | null, status = 200) {
  const seen: Seen[] = []
  const url = await open(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const body = JSON.parse(text) as Seen['body']
    seen.push({ path: request.url ?? '', headers: request.headers, body })
    const reply = answer(body.input)
    if (reply === null) return
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  })
  return { url, seen }
}

const asList = (vectors: readonly Float32Array[]) => vectors.map((vector) => [...vector])

describe('U1: the published shapes of embedding services', () => {
  test('Ollama', async () => {
    const { url, seen } = await serve((input) => ({ embeddings: input.map((_, i) => [i, 1]) }))
    const reply = await ollamaEmbedder({ model: 'nomic-embed-text', url }).embed(['a', 'b'])
    expect(reply.ok && asList(reply.vectors)).toEqual([
      [0, 1],
      [1, 1],
    ])
    expect(seen[0]).toMatchObject({
      path: '/api/embed',
      body: { model: 'nomic-embed-text', input: ['a', 'b'] },
    })
  })

  test('OpenAI-compatible, in whatever order the vectors come', async () => {
    const { url, seen } = await serve(() => ({
      data: [
        { index: 1, embedding: [2, 2] },
        { index: 0, embedding: [1, 1] },
      ],
    }))
    const embedder = openAiEmbedder({ provider: 'openai', model: 'm', url: `${url}/v1/`, key: 'k1' })
    const reply = await embedder.embed(['a', ''])
    expect(reply.ok && asList(reply.vectors)).toEqual([
      [1, 1],
      [2, 2],
    ])
    expect(seen[0]).toMatchObject({ path: '/v1/embeddings', headers: { authorization: 'Bearer k1' } })
    expect(seen[0]?.body.input).toEqual(['a', ' '])
  })

  test.each<[string, object]>([
    ['too few', { embeddings: [[1]] }],
    ['different lengths', { embeddings: [[1], [1, 2]] }],
    ['no numbers', { embeddings: [['1'], [null]] }],
    ['nothing', {}],
  ])('an answer with %s is refused', async (_what, body) => {
    const { url } = await serve(() => body)
    expect(await ollamaEmbedder({ model: 'm', url }).embed(['a', 'b'])).toMatchObject({
      ok: false,
      fault: 'bad-answer',
    })
  })
})

describe('H12: likeness by an embedder, and without one', () => {
  const texts = ['journal entries', 'the footer', 'trains run late']
  const index = new ChunkIndex(texts)
  const cache = () => new EmbeddingCache(sha256)
  const plain = { mask: (text: string) => text }
  const own = index.likeness('journal').similarity

  test('the cosine of its vectors, from 0 to 1, each text asked for once', async () => {
    const { url, seen } = await serve((input) => ({
      embeddings: input.map((text) =>
        text.includes('footer') ? [-1, 0] : [1, text.includes('journal') ? 0 : 1],
      ),
    }))
    const options = { ...plain, embedder: ollamaEmbedder({ model: 'm', url }), cache: cache() }
    const first = await promptLikeness(index, texts, 'journal', options)
    expect(first).toMatchObject({ by: `ollama/m@${url}`, note: null })
    expect([...first.similarity].map((value) => value.toFixed(2))).toEqual(['1.00', '0.00', '0.71'])
    expect(await promptLikeness(index, texts, 'journal', options)).toEqual(first)
    expect(seen).toHaveLength(1)
  })

  test('texts are masked before they leave', async () => {
    const { url, seen } = await serve((input) => ({ embeddings: input.map(() => [1]) }))
    const mask = (text: string) => text.replace('journal', '***')
    await promptLikeness(index, texts, 'journal', {
      mask,
      embedder: ollamaEmbedder({ model: 'm', url }),
      cache: cache(),
    })
    expect(seen[0]?.body.input).toEqual(['***', '*** entries', 'the footer', 'trains run late'])
  })

  test('one that does not answer in time is done without, and it is said', async () => {
    const { url } = await serve(() => null)
    const embedder = ollamaEmbedder({ model: 'm', url, timeoutMs: 50 })
    const found = await promptLikeness(index, texts, 'journal', { ...plain, embedder, cache: cache() })
    expect(found).toMatchObject({ by: OWN_LIKENESS, similarity: own })
    expect(found.note).toMatch(/ollama\/m did not answer/)
  })

  test('one that fails half-way leaves no figure behind', async () => {
    const many = Array.from({ length: 40 }, (_, i) => `text ${i}`)
    const hash = hashEmbedder()
    let asked = 0
    const flaky: Embedder = {
      ...hash,
      embed: async (batch) => {
        asked += 1
        return asked > 1 ? { ok: false, fault: 'http', message: 'Down: bad port' } : hash.embed(batch)
      },
    }
    const all = new ChunkIndex(many)
    const found = await promptLikeness(all, many, 'text 7', { ...plain, embedder: flaky, cache: cache() })
    expect(found).toEqual({
      similarity: all.likeness('text 7').similarity,
      by: OWN_LIKENESS,
      note: 'Down: bad port. Likeness was worked out without it.',
    })
  })

  test('without an embedder nothing is asked', async () => {
    expect(
      await promptLikeness(index, texts, 'journal', { ...plain, embedder: null, cache: cache() }),
    ).toEqual({
      similarity: own,
      by: OWN_LIKENESS,
      note: null,
    })
  })

  test('vectors are kept by embedder and text, the ones not asked for longest go', () => {
    const small = new EmbeddingCache(sha256, 2)
    const [a, b, c] = ['a', 'b', 'c'].map((text) => small.keyOf('one', text)) as [string, string, string]
    expect(small.keyOf('two', 'a')).not.toBe(a)
    expect(a).toMatch(/^[0-9a-f]{64}$/)
    small.set(a, new Float32Array([1]))
    small.set(b, new Float32Array([2]))
    expect(small.get(a)).toBeDefined()
    small.set(c, new Float32Array([3]))
    expect([small.get(a), small.get(b), small.get(c)].map((one) => one?.[0])).toEqual([1, undefined, 3])
  })
})
