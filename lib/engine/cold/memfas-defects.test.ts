import { describe, expect, test } from 'vitest'
import { fileColdStore } from '../../adapters/cold/file-cold-store'
import type { ContentMessage } from '../../core/history/thinking'
import { PRESETS } from '../../core/policy/presets'
import { readPolicy } from '../../core/policy/read-policy'
import { resolvePolicy } from '../../core/policy/resolve'
import { parseSource } from '../../core/policy/source-tree'
import { ChunkIndex } from '../../core/relevance/chunk-index'
import { scorerOf } from '../../core/relevance/scorer-of'
import { coldAgent, errands, MEMFAS, NOW, said } from '../../testing/cold-conversation'
import { sizeOf } from '../../testing/live-conversation'
import { MemoryDisk } from '../../testing/memory-disk'
import { OWN_LIKENESS, promptLikeness } from '../relevance/prompt-likeness'
import { archiveToCold } from './drop-to-cold'
import { purgeCold } from './purge-cold'
import { ANY_CHUNK, ColdLibrary } from './search-cold'

/** Defects of the module of memfas, each tried on ours. */

const HOUR = 3_600_000
const ASK = said('user', 'Which crane stands at pier seven of the harbour?')

function at(share: number, messages: readonly ContentMessage[], policy = MEMFAS) {
  const tokens = messages.reduce((sum, message) => sum + sizeOf(message), 0)
  return coldAgent(messages, policy, { window: Math.round((tokens * 1.2) / share) })
}

describe('defects of memfas that ours has not', () => {
  test('1: a compaction looks at age and importance: young and marked chunks score higher than old ones', async () => {
    const old = said('assistant', 'a quiet day', NOW - 48 * HOUR)
    const young = said('assistant', 'a quiet hour', NOW - 60_000)
    const marked = { ...said('assistant', 'a quiet week', NOW - 48 * HOUR), important: true }
    const { context } = at(0.55, [old, young, marked, ...errands(20), ASK])
    const { drop } = await context.beforeResponse([])
    const scores = drop?.plan.decisions.slice(0, 3).map(({ chunk }) => chunk.score.value) ?? []
    expect(drop?.compacted).toBe(true)
    expect(scores[1]).toBeGreaterThan((scores[0] ?? 0) + 0.15)
    expect(scores[2]).toBeCloseTo((scores[0] ?? 0) + 0.1, 2)
    expect(drop?.plan.decisions.slice(0, 3).map(({ action }) => action)).toEqual(['drop', 'drop', 'keep'])
  })

  test('2: the minimum keeps the last five word for word, not the best-scoring drops as medium', async () => {
    const messages = [
      said('assistant', 'A crane, a pier, a harbour, seven?', NOW - 48 * HOUR),
      ...errands(11),
    ]
    const policy = { ...MEMFAS, relevance: { ...MEMFAS.relevance, cutoff: 0.69 } }
    const { context, held } = at(0.45, messages, policy)
    // No message of the conversation asked; the question comes from outside.
    held.messages = [...messages.slice(0, -2), ASK, ...messages.slice(-2)]
    const before = held.messages
    await context.afterResponse()
    expect(held.messages).toEqual(before.slice(-9))
  })

  test('3: expiry and statistics work once a session was archived, and expiry trims the index', async () => {
    const disk = new MemoryDisk()
    let now = NOW
    const ports = { store: fileColdStore(disk, '/cold', () => 'batch'), now: () => now }
    const content = 'What the session held at its end. '.repeat(10)
    const chunks = ['a', 'b'].map((chunkId) => ({
      chunkId,
      sessionId: 's',
      content,
      tokens: 80,
      place: null,
    }))
    await archiveToCold(ports, chunks, MEMFAS)
    await disk.put('/cold/s/messages.jsonl', '{"role":"user","content":"as memfas archives it"}\n')
    expect(disk.text('/cold/index.jsonl')?.trim().split('\n')).toHaveLength(2)
    expect((await ports.store.list()).chunks).toHaveLength(2)
    now += 8 * 24 * HOUR
    expect(
      await purgeCold(ports.store, new ColdLibrary(ports.store, ports.now), { apply: true }),
    ).toMatchObject({ removed: 2 })
    expect(disk.text('/cold/index.jsonl') ?? '').toBe('')
    expect(disk.text('/cold/s/messages.jsonl')).not.toBeNull()
  })

  test('4: punctuation is no part of a word, and what has expired does not crowd out what has not', async () => {
    const disk = new MemoryDisk()
    const store = fileColdStore(disk, '/cold', () => 'batch')
    const chunk = { sessionId: 's', tokens: 3, reason: null, score: null, prompt: null, place: null }
    const expired = Array.from({ length: 30 }, (_, i) => ({
      ...chunk,
      chunkId: `old${i}`,
      content: 'topic7 topic7 topic7',
      at: 1,
      until: 2,
    }))
    await store.put([
      ...expired,
      { ...chunk, chunkId: 'new', content: 'About topic7, and more.', at: NOW, until: NOW * 2 },
    ])
    const library = new ColdLibrary(store, () => NOW)
    for (const words of ['topic7', 'topic7,', '"Topic7"!']) {
      const { found } = await library.search(words, ANY_CHUNK, 5)
      expect(found.map(({ chunk: { chunkId } }) => chunkId)).toEqual(['new'])
    }
  })

  test('5: settings act: hard limit, floor, curation trigger, cold storage, its path and days, logs', async () => {
    const text = [
      'MAX_CONTEXT_PCT: 0.6',
      'MEMFAS_MIN_SCORE: 0.4',
      'CURATION_TRIGGER_PCT: 0.3',
      'COLD_STORAGE_ENABLED: true',
      'COLD_STORAGE_PATH: /elsewhere/',
      'RECOVERABLE_FOR_DAYS: 3',
      'LOG_PATH: /logs/',
      'LOG_DROPS: false',
    ].join('\n')
    const { patch } = readPolicy(parseSource(text, 'context-config.yaml'))
    const { policy } = resolvePolicy([
      { level: 'preset', label: 'memfas', patch: PRESETS.memfas },
      { level: 'default', label: 'file', patch },
    ])
    expect(policy).toMatchObject({
      coldStorage: { path: '/elsewhere/', days: 3 },
      logs: { path: '/logs/', drops: false },
    })
    const likely = { similarity: 0.39, ageMs: null, important: false, use: null }
    expect(scorerOf(policy.relevance).score(likely).value).toBe(0)
    const messages = [...errands(20), ASK]
    const early = at(0.31, messages, policy)
    const { drop } = await early.context.afterResponse()
    expect(drop?.dropped[0]?.record.until).toBe(NOW + 3 * 24 * HOUR)
    const full = at(0.61, messages, {
      ...policy,
      lines: { ...policy.lines, compact: { enabled: false, at: 0.5 } },
    })
    expect((await full.context.beforeResponse([])).before.reached.map(({ kind }) => kind)).toContain('hard')
    expect(full.context.check().reached.map(({ kind }) => kind)).not.toContain('hard')
    const off = at(0.31, messages, { ...policy, coldStorage: { ...policy.coldStorage, enabled: false } })
    await off.context.afterResponse()
    expect(off.held.messages).toEqual(messages)
  })

  test('6: after a compaction the status asks for none, one by hand is logged, and drops know their tokens', async () => {
    const messages = [...errands(20), ASK]
    const { context, logged } = at(0.55, messages)
    expect((await context.status()).needsCompaction).toBe(true)
    await context.beforeResponse([])
    expect(await context.status()).toMatchObject({ needsCompaction: false, compactions: 1 })
    expect((await context.beforeResponse([])).steps).toEqual([])
    for (const line of logged('drops')) if (line.kind === 'drops') expect(line.tokens).toBeGreaterThan(100)
    const policy = { ...MEMFAS, compaction: { ...MEMFAS.compaction, keepRecentTokens: 500 } }
    const byHand = at(0.1, [said('user', 'Begin.'), ...errands(20), ASK, said('assistant', 'Done.')], policy)
    expect((await byHand.context.compact()).kind).toBe('compacted')
    expect(byHand.logged('compaction')).toMatchObject([{ trigger: 'manual' }])
  })

  test('7: ids of one second never collide, and an archive is under the id of its session', async () => {
    const same = Array.from({ length: 10 }, () => said('assistant', 'the very same words', NOW - 48 * HOUR))
    const { context, cold } = at(0.45, [...same, ...errands(20), ASK])
    await context.afterResponse()
    const dropped = (await cold.list()).chunks
    expect(new Set(dropped.map(({ chunkId }) => chunkId)).size).toBe(dropped.length)
    expect(dropped.filter(({ content }) => content === 'the very same words')).toHaveLength(10)
    await context.sessionEnd()
    const { chunks } = await cold.list()
    expect(new Set(chunks.map(({ sessionId }) => sessionId))).toEqual(new Set(['agent:harbour:main']))
    expect(chunks.length).toBeGreaterThan(dropped.length)
  })

  test('8: likeness falls back to words whatever fails, and a chunk’s own words are no part of the question', async () => {
    const texts = ['the crane at pier seven', 'bread for forty minutes']
    const index = new ChunkIndex(texts)
    const embedder = {
      id: 'x',
      deterministic: false,
      embed: async () => ({ ok: false, fault: 'unreachable', message: 'x is down.' }) as const,
    }
    const cache = {
      keyOf: (id: string, text: string) => `${id}|${text}`,
      get: () => undefined,
      set: () => undefined,
    }
    const options = { embedder, cache: cache as never, mask: (text: string) => text }
    const fallen = await promptLikeness(index, texts, 'crane', options)
    expect(fallen.by).toBe(OWN_LIKENESS)
    expect(fallen.similarity[0]).toBeGreaterThan(0)
    // A question that shares nothing with a chunk has no likeness to it, whatever the chunk says.
    const { words } = index.likeness('weather in Oslo')
    expect([...words]).toEqual([0, 0])
  })
})
