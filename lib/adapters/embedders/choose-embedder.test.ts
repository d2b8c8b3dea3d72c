import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import type { Policy } from '../../core/policy/policy'
import type { Embedder } from '../../engine/relevance/embedder'
import { OWN_LIKENESS } from '../../engine/relevance/prompt-likeness'
import { restingEmbedder } from '../../engine/relevance/resting-embedder'
import { ContextScorer } from '../../engine/relevance/score-context'
import { loopbackServices } from '../../testing/loopback'
import { chooseEmbedder } from './choose-embedder'
import { openEmbedding } from './open-embedding'

const base = { url: '', timeoutMs: 1_000, keyOf: () => undefined }
const idOf = (model: string, more = {}) => chooseEmbedder({ ...base, model, ...more })?.id ?? null

const open = loopbackServices()

/** A service on loopback that answers nothing, and counts who asked. */
async function silent(): Promise<{ url: string; asked: () => number }> {
  let asked = 0
  const url = await open(() => {
    asked += 1
  })
  return { url, asked: () => asked }
}

function scorer(embedder: Partial<Policy['relevance']['embedder']>) {
  const relevance = {
    ...DEFAULT_POLICY.relevance,
    embedder: { ...DEFAULT_POLICY.relevance.embedder, ...embedder },
  }
  return new ContextScorer({
    policy: { relevance },
    embedding: openEmbedding({ relevance }, () => undefined),
    mask: (text) => text,
  })
}

const MESSAGES = ['the crane at pier seven', 'bread for forty minutes'].map((text, i) => ({
  entryId: `m${i}`,
  role: 'assistant' as const,
  text,
  calls: [],
  tokens: 5,
  at: null,
}))

describe('the embedder that a policy names', () => {
  test('H12: none by default; Ollama, a known provider, or a server of one’s own', () => {
    expect(idOf('')).toBeNull()
    expect(idOf('nomic-embed-text')).toMatch(/^ollama\/nomic-embed-text@http:\/\/localhost/)
    expect(idOf('openai/text-embedding-3-small', { keyOf: () => 'k' })).toMatch(/^openai\/.*@https:/)
    expect(idOf('mine', { url: 'http://127.0.0.1:1' })).toBe('server/mine@http://127.0.0.1:1')
    expect(idOf('hash/')).toMatch(/^hash\//)
  })

  test('one that cannot work says what is missing', async () => {
    const reply = await chooseEmbedder({ ...base, model: 'openai/x' })?.embed(['a'])
    expect(reply).toMatchObject({ ok: false, message: expect.stringContaining('OPENAI_API_KEY') })
    const unknown = await chooseEmbedder({ ...base, model: 'nobody/x' })?.embed(['a'])
    expect(unknown).toMatchObject({ ok: false, message: expect.stringContaining('relevance.embedder.url') })
  })

  test('one that times out: likeness is worked out without it, that is said, and the next turn does not wait', async () => {
    const { url, asked } = await silent()
    const live = scorer({ model: 'ollama/m', url, timeoutMs: 400 })
    const first = await live.score(MESSAGES, 'which crane at pier seven?', 0)
    expect(first.likenessBy).toBe(OWN_LIKENESS)
    expect(first.note).toMatch(/did not answer within.*worked out without it/)
    const own = await scorer({}).score(MESSAGES, 'which crane at pier seven?', 0)
    expect(first.chunks).toEqual(own.chunks)
    expect(own.note).toBeNull()
    const second = await live.score(MESSAGES, 'and the bread?', 0)
    expect(second.note).toMatch(/did not answer/)
    expect(asked()).toBe(1)
  })
})

test('an embedder that failed is asked again after its rest; one that was stopped is asked at once', async () => {
  let now = 0
  let asked = 0
  let fault: 'timeout' | 'aborted' = 'timeout'
  const failing: Embedder = {
    id: 'x',
    deterministic: false,
    embed: async () => {
      asked += 1
      return { ok: false, fault, message: 'no' }
    },
  }
  const resting = restingEmbedder(failing, { now: () => now }, 1_000)
  await resting.embed(['a'])
  now = 999
  await resting.embed(['a'])
  expect(asked).toBe(1)
  now = 1_000
  fault = 'aborted'
  await resting.embed(['a'])
  await resting.embed(['a'])
  expect(asked).toBe(3)
})
