import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fileColdStore } from '../../adapters/cold/file-cold-store'
import { sha256 } from '../../adapters/write/sha256'
import { type AutoRecovery, autoRecover } from '../../agent/cold/auto-recover'
import { contentOfNote } from '../../core/cold/place-back'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { MemoryDisk } from '../../testing/memory-disk'
import { recoveryLog } from '../../testing/recovery-log'
import type { Embedder } from '../relevance/embedder'
import { EmbeddingCache } from '../relevance/embedding-cache'
import type { Embedding } from '../relevance/score-context'
import { archiveToCold, dropToCold, type Leaving } from './drop-to-cold'
import { purgeCold } from './purge-cold'
import { ANY_CHUNK, ColdLibrary } from './search-cold'

const ROOT = '/cold'
const DAY = 86_400_000
const START = Date.parse('2026-02-02T22:55:00Z')
const OFF = { coldStorage: { ...DEFAULT_POLICY.coldStorage, enabled: false } }
const HARBOUR = 'The harbour master moved the crane to pier seven; see lib/harbour/crane.ts.'

const leaving = (chunkId: string, content: string, more: Partial<Leaving> = {}): Leaving => ({
  chunkId,
  sessionId: 's1',
  content,
  tokens: 10,
  reason: 'low_relevance',
  score: 0.1,
  prompt: 'p',
  place: null,
  ...more,
})

function world() {
  const disk = new MemoryDisk()
  let count = 0
  let time = START
  const ports = { store: fileColdStore(disk, ROOT, () => String(++count)), now: () => time }
  const library = new ColdLibrary(ports.store, ports.now)
  const { log, logged } = recoveryLog()
  const wait = (ms: number) => {
    time += ms
  }
  return { disk, ports, library, log, logged, wait }
}

describe('dropping', () => {
  test('I1, I2: the file is there before the chunk may leave, with the end of its time', async () => {
    const { disk, ports } = world()
    const result = await dropToCold(ports, [leaving('abc123', 'text')], DEFAULT_POLICY)
    expect(result).toMatchObject({ kind: 'stored', chunks: [{ file: '/cold/s1/abc123.jsonl' }] })
    expect(JSON.parse(disk.text('/cold/s1/abc123.jsonl') ?? '')).toMatchObject({
      timestamp: '2026-02-02T22:55:00.000Z',
      recoverable_until: '2026-03-04T22:55:00.000Z',
      tokens: 10,
    })
  })

  test('I9: switched off, nothing is written and nothing may leave', async () => {
    const { disk, ports } = world()
    for (const drop of [dropToCold, archiveToCold])
      expect(await drop(ports, [leaving('a', 'x'.repeat(200))], OFF)).toMatchObject({
        kind: 'refused',
        refusal: { code: 'not-supported' },
      })
    expect(await disk.stat(ROOT)).toBeNull()
  })

  test('a full disk: refused, so that the chunks stay', async () => {
    const { disk, ports } = world()
    disk.room = 10
    const result = await dropToCold(ports, [leaving('a', 'x'), leaving('b', 'y')], DEFAULT_POLICY)
    expect(result).toMatchObject({
      kind: 'refused',
      refusal: { code: 'no-space', message: expect.stringContaining('Nothing was dropped') },
    })
  })

  test('I8: a session that ends is archived under its own id, for seven days, without what is too short', async () => {
    const { ports, library, wait } = world()
    await dropToCold(ports, [leaving('dropped', 'earlier')], DEFAULT_POLICY)
    const short = leaving('short', 'x'.repeat(100))
    await archiveToCold(ports, [leaving('long', 'x'.repeat(101)), short], DEFAULT_POLICY)
    const { found } = await library.search(null, { ...ANY_CHUNK, session: 's1' }, 9)
    expect(found.map(({ chunk }) => [chunk.chunkId, chunk.reason, chunk.score]).sort()).toEqual([
      ['dropped', 'low_relevance', 0.1],
      ['long', 'session_archive', null],
    ])
    wait(7 * DAY + 1)
    expect(await purgeCold(ports.store, library, { apply: true })).toMatchObject({ removed: 1, keep: 1 })
  })
})

describe('finding and purging', () => {
  test('I3, I4: what has expired is not offered, and crowds out nothing', async () => {
    const { ports, library, wait } = world()
    await dropToCold(ports, [leaving('old', 'harbour harbour harbour')], DEFAULT_POLICY)
    wait(20 * DAY)
    await dropToCold(ports, [leaving('new', 'a harbour')], DEFAULT_POLICY)
    wait(11 * DAY)
    const { found } = await library.search('harbour', ANY_CHUNK, 1)
    expect(found.map(({ chunk }) => chunk.chunkId)).toEqual(['new'])
    await purgeCold(ports.store, library, { apply: true })
    expect((await library.search('harbour', { ...ANY_CHUNK, expired: true }, 9)).found).toHaveLength(1)
  })

  test('what is stored is found by its words and comes back as it was; a purge takes what expired alone', async () => {
    const chunk = fc.record({
      content: fc.string({ unit: 'binary', maxLength: 60 }),
      sessionId: fc.constantFrom('s1', '../s2', 'agent:main:main'),
      days: fc.integer({ min: 0, max: 60 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(chunk, { minLength: 1, maxLength: 8 }), async (chunks) => {
        const { ports, library, wait } = world()
        for (const [i, { content, sessionId }] of chunks.entries()) {
          const days = chunks[i]?.days ?? 0
          const policy = { coldStorage: { ...DEFAULT_POLICY.coldStorage, days } }
          await dropToCold(ports, [leaving(`c${i}`, `word${i}x ${content}`, { sessionId })], policy)
        }
        for (const [i, { content, sessionId }] of chunks.entries()) {
          const { found } = await library.search(`WORD${i}x!`, ANY_CHUNK, 9)
          expect(found.map(({ chunk }) => [chunk.chunkId, chunk.sessionId, chunk.content])).toEqual([
            [`c${i}`, sessionId, `word${i}x ${content}`],
          ])
        }
        wait(30 * DAY)
        const stays = chunks.flatMap(({ days }, i) => (days >= 30 ? [`c${i}`] : []))
        await purgeCold(ports.store, library, { apply: true })
        const left = await library.search(null, { ...ANY_CHUNK, expired: true }, 99)
        expect(left.found.map(({ chunk }) => chunk.chunkId).sort()).toEqual(stays)
      }),
      { numRuns: 15 },
    )
  })
})

describe('coming back by itself (I5)', () => {
  const request = {
    session: 's1',
    prompt: 'Where did the harbour master move the crane?',
    room: 1000,
    isHeld: ({ chunkId: _ }: { chunkId: string }) => false,
    policy: DEFAULT_POLICY,
  }

  async function stored(embedding: Embedding | null = null) {
    const all = world()
    await dropToCold(
      all.ports,
      [
        leaving('harbour', HARBOUR),
        leaving('bread', 'Bake the bread for forty minutes.'),
        leaving('other', HARBOUR, { sessionId: 's2' }),
      ],
      DEFAULT_POLICY,
    )
    const sizeOf = (text: string) => text.length / 4
    const mask = (text: string) => text.replaceAll('sesame', '•••')
    const ports = { library: all.library, log: all.log, sizeOf, embedding, mask }
    return {
      ...all,
      recover: (more: Partial<typeof request> = {}) => autoRecover(ports, { ...request, ...more }),
      // As if whoever asked had put all of it into a context.
      settle: async ({ settled }: AutoRecovery) => settled(),
    }
  }

  test('a prompt on the topic brings the chunk of its session, and it is logged (I7)', async () => {
    const { recover, logged, settle } = await stored()
    const done = await recover()
    const { recovered } = done
    expect(recovered.map(({ chunk }) => [chunk.chunkId, chunk.sessionId])).toEqual([['harbour', 's1']])
    expect(contentOfNote(recovered[0]?.text ?? '')).toBe(HARBOUR)
    expect(logged).toEqual([])
    expect(await settle(done)).toEqual([])
    expect(logged).toMatchObject([
      { chunkId: 'harbour', trigger: 'relevance', query: request.prompt, destination: 'context' },
    ])
    expect(logged[0]?.relevanceScore).toBe(recovered[0]?.score)
  })

  test('not on another topic, not twice, not when switched off, not after its time', async () => {
    const { recover, logged, wait } = await stored()
    const none = { recovered: [], tooLarge: 0 }
    expect(await recover({ prompt: 'What is the weather in Oslo like?' })).toMatchObject(none)
    expect(await recover({ isHeld: ({ chunkId }) => chunkId === 'harbour' })).toMatchObject(none)
    expect(await recover({ policy: { ...DEFAULT_POLICY, ...OFF } })).toMatchObject(none)
    wait(31 * DAY)
    expect(await recover()).toMatchObject(none)
    expect(logged).toEqual([])
  })

  test('also where no space parts words', async () => {
    const { recover, ports } = await stored()
    await dropToCold(
      ports,
      [leaving('zh', '港口负责人把起重机移到了第七号码头。'), leaving('bread-zh', '面包要烤四十分钟。')],
      DEFAULT_POLICY,
    )
    const { recovered } = await recover({ prompt: '起重机移到了哪个码头?' })
    expect(recovered.map(({ chunk }) => chunk.chunkId)).toEqual(['zh'])
  })

  /** Knows what two texts are about, whatever their words. */
  function topics(fails = false) {
    const asked: string[] = []
    const embedder: Embedder = {
      id: 'test:topics',
      deterministic: true,
      embed: async (texts) => {
        asked.push(...texts)
        if (fails) return { ok: false, fault: 'timeout', message: 'test:topics did not answer within 5 s.' }
        const vectors = texts.map((text) => new Float32Array(/crane|hoist/.test(text) ? [1, 0.1] : [0, 1]))
        return { ok: true, vectors }
      },
    }
    return { embedding: { embedder, cache: new EmbeddingCache(sha256) }, asked }
  }

  test('I5, H12: with an embedder likeness is what it says, as in scoring: also without a word in common', async () => {
    const { embedding, asked } = topics()
    const { recover, logged, settle } = await stored(embedding)
    const done = await recover({ prompt: 'Tell me about hoists. sesame' })
    expect(done).toMatchObject({ likenessBy: 'test:topics', notes: [] })
    expect(done.recovered.map(({ chunk, score }) => [chunk.chunkId, Math.round(score * 100)])).toEqual([
      ['harbour', 100],
    ])
    await settle(done)
    expect(logged[0]).toMatchObject({ relevanceScore: done.recovered[0]?.score })
    // Words in common bring nothing back that is about something else.
    const { recovered } = await recover({ prompt: 'Where did the harbour master go?' })
    expect(recovered.map(({ chunk }) => chunk.chunkId)).toEqual(['bread'])
    expect(asked.join()).not.toContain('sesame')
    // Texts that it knows are not sent again.
    expect(asked.filter((text) => text === HARBOUR)).toHaveLength(1)
    expect((await (await stored()).recover({ prompt: 'Tell me about hoists.' })).recovered).toEqual([])
  })

  test('I5, H12: an embedder that does not answer costs a note, and words and hashed vectors do', async () => {
    const { embedding, asked } = topics(true)
    const done = await (await stored(embedding)).recover()
    expect(done.recovered.map(({ chunk }) => chunk.chunkId)).toEqual(['harbour'])
    expect(done.likenessBy).toBe('passages')
    expect(done.notes).toEqual(['test:topics did not answer within 5 s. Likeness was worked out without it.'])
    expect(asked.length).toBeGreaterThan(0)
    // Where nothing was dropped nobody is asked.
    const before = asked.length
    expect(await (await stored(embedding)).recover({ session: 'nobody' })).toMatchObject({
      likenessBy: null,
      notes: [],
    })
    expect(asked).toHaveLength(before)
  })

  test('and never more than there is room for', async () => {
    const { recover } = await stored()
    const { recovered, tooLarge } = await recover({ room: 30 })
    expect([recovered.length, tooLarge]).toEqual([0, 1])
    const [one] = (await recover()).recovered
    expect((await recover({ room: one?.tokens ?? 0 })).recovered).toHaveLength(1)
  })
})
