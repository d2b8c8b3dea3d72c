import { fileColdStore } from '../../adapters/cold/file-cold-store'
import { openColdStore } from '../../adapters/cold/open-cold-store'
import { chooseEmbedder } from '../../adapters/embedders/choose-embedder'
import { CONTENT_FORM } from '../../agent/content-form'
import { contextMessages } from '../../agent/context-message'
import type { Policy } from '../../core/policy/policy'
import { relevanceDrop } from '../../core/pruning/relevance-drop'
import { dropToCold } from '../../engine/cold/drop-to-cold'
import { ContextScorer } from '../../engine/relevance/score-context'
import { coldAgent, errands, MEMFAS, NOW, said } from '../cold-conversation'
import { sizeOf } from '../live-conversation'
import { MemoryDisk } from '../memory-disk'
import { type Effect, effects } from './effect'

const QUESTION = 'Which crane stands at pier seven of the harbour?'
const HOUR = 3_600_000

async function scored(policy: Policy) {
  const messages = [
    said(
      'assistant',
      `The harbour has a crane at pier seven. ${'It was painted by night. '.repeat(60)}`,
      NOW - 2 * HOUR,
    ),
    { ...said('assistant', 'Gulls eat fish.', NOW - 3 * HOUR), important: true },
    said('user', 'Read the ledgers.', NOW - 5 * HOUR),
    ...errands(6, NOW - 5 * HOUR),
  ]
  const form = { ...CONTENT_FORM, tokensOf: sizeOf }
  const scorer = new ContextScorer({ policy, embedding: null, mask: (text) => text })
  return (await scorer.score(contextMessages(form, messages), QUESTION, NOW)).chunks
}

const scores = async (policy: Policy) => (await scored(policy)).map(({ score }) => score)

async function decided(policy: Policy) {
  const chunks = await scored(policy)
  return relevanceDrop({ chunks, policy, pass: 'compact', now: NOW, room: null }).decisions.map(
    ({ action, reason }) => `${action} ${reason}`,
  )
}

/** How the embedder that a policy names is asked: the address, the model, and for how long. */
async function embedded({ relevance }: Policy) {
  const { fetch } = globalThis
  const { timeout } = AbortSignal
  const seen: unknown[] = []
  globalThis.fetch = async (url, options) => {
    seen.push(String(url), JSON.parse(String(options?.body)).model)
    return new Response('{}', { status: 400 })
  }
  AbortSignal.timeout = (ms) => {
    seen.push(ms)
    return timeout.call(AbortSignal, ms)
  }
  try {
    await chooseEmbedder({ ...relevance.embedder, keyOf: () => 'a-key' })?.embed(['text'])
  } finally {
    globalThis.fetch = fetch
    AbortSignal.timeout = timeout
  }
  return seen
}

/** What a dropped chunk's record says in cold storage. */
async function stored(policy: Policy) {
  const disk = new MemoryDisk()
  const ports = { store: fileColdStore(disk, '/cold', () => '1'), now: () => NOW }
  const chunk = {
    chunkId: 'c1',
    sessionId: 's1',
    content: 'text',
    tokens: 10,
    reason: 'low_relevance',
    score: 0.1,
    prompt: 'p',
    place: null,
  }
  await dropToCold(ports, [chunk], policy)
  return disk.text('/cold/s1/c1.jsonl')
}

/** What leaves a live context that is filled above its curation line. */
async function curated(policy: Policy) {
  const messages = [...errands(20), said('user', QUESTION)]
  const size = messages.reduce((sum, message) => sum + sizeOf(message), 0)
  const { context } = coldAgent(messages, policy, { window: Math.round((size * 1.2) / 0.45) })
  return (await context.afterResponse()).drop?.dropped.length ?? 0
}

const EMBEDDER = { relevance: { embedder: { model: 'ollama/nomic-embed-text' } } }

export const RELEVANCE: readonly Effect[] = [
  ...effects(
    scores,
    {},
    {
      'relevance.scorer': ['seed', 'logistic'],
      'relevance.similarityWeight': [0.6, 0.3],
      'relevance.similarityFloor': [0, 0.99],
      'relevance.recencyBonus': [0.2, 0.1],
      'relevance.recency': ['decay', 'literal'],
      'relevance.recencyHours': [6, 1],
      'relevance.importanceBonus': [0.1, 0.3],
    },
  ),
  ...effects(
    decided,
    {
      relevance: { minChunks: 0 },
      history: { recentTurns: 0 },
      pruning: { keepLastMessages: 0, keepRecentMs: 0 },
    },
    {
      'history.recentTurns': [0, 1],
      'relevance.cutoff': [0.01, 0.6],
      'relevance.keep': [0.02, 0.9],
      'relevance.minChunks': [0, 5],
      'summary.mediumChunks': [true, false],
    },
  ),
  ...effects(embedded, EMBEDDER, {
    'relevance.embedder.model': ['ollama/nomic-embed-text', 'openai/text-embedding-3-small'],
    'relevance.embedder.url': ['http://127.0.0.1:1', 'http://127.0.0.1:2'],
    'relevance.embedder.timeoutMs': [1_000, 2_000],
  }),
  ...effects(curated, MEMFAS, { 'coldStorage.enabled': [true, false] }),
  ...effects(
    (policy) => openColdStore(policy.coldStorage.path).root,
    {},
    { 'coldStorage.path': ['/a', '/b'] },
  ),
  ...effects(stored, {}, { 'coldStorage.days': [7, 30] }),
]
