import { describe, expect, test } from 'vitest'
import { fileColdStore } from '../../adapters/cold/file-cold-store'
import { sha256 } from '../../adapters/write/sha256'
import { contentOfNote } from '../../core/cold/place-back'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { dropToCold, type Leaving } from '../../engine/cold/drop-to-cold'
import { ColdLibrary } from '../../engine/cold/search-cold'
import type { Embedder } from '../../engine/relevance/embedder'
import { EmbeddingCache } from '../../engine/relevance/embedding-cache'
import type { Embedding } from '../../engine/relevance/score-context'
import { MemoryDisk } from '../../testing/memory-disk'
import { recoveryLog } from '../../testing/recovery-log'
import { type AutoRecovery, autoRecover } from './auto-recover'
import { SUMMARISED_REASON } from './keep-copies'

const DAY = 86_400_000
const OFF = { coldStorage: { ...DEFAULT_POLICY.coldStorage, enabled: false } }
const HARBOUR = 'The harbour master moved the crane to pier seven; see lib/harbour/crane.ts.'

const leaving = (chunkId: string, content: string, more: Partial<Leaving> = {}): Leaving => ({
  ...{ chunkId, content, sessionId: 's1', tokens: 10, reason: 'low_relevance' },
  ...{ score: 0.1, prompt: 'p', place: null, ...more },
})

function world() {
  const disk = new MemoryDisk()
  let count = 0
  let time = Date.parse('2026-02-02T22:55:00Z')
  const ports = { store: fileColdStore(disk, '/cold', () => String(++count)), now: () => time }
  const library = new ColdLibrary(ports.store, ports.now)
  const wait = (ms: number) => {
    time += ms
  }
  return { ports, library, ...recoveryLog(), wait }
}

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
    const sized: string[] = []
    const sizeOf = (text: string) => {
      sized.push(text)
      return text.length / 4
    }
    const mask = (text: string) => text.replaceAll('sesame', '•••')
    const ports = { library: all.library, log: all.log, sizeOf, embedding, mask }
    return {
      ...all,
      sized,
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
    // Nothing has a word in common with it, so that nothing was compared.
    expect(await recover({ prompt: 'What is the weather in Oslo like?' })).toMatchObject({
      ...{ ...none, likenessBy: null },
    })
    expect(await recover({ isHeld: ({ chunkId }) => chunkId === 'harbour' })).toMatchObject(none)
    expect(await recover({ policy: { ...DEFAULT_POLICY, ...OFF } })).toMatchObject(none)
    wait(31 * DAY)
    expect(await recover()).toMatchObject(none)
    expect(logged).toEqual([])
  })

  test('only what comes back is sized, each once', async () => {
    const { recover, ports, sized } = await stored()
    const more = Array.from({ length: 30 }, (_, at) => leaving(`crane${at}`, `${HARBOUR} Crane ${at}.`))
    await dropToCold(ports, more, DEFAULT_POLICY)
    const { recovered } = await recover()
    expect(recovered.length).toBeGreaterThan(1)
    expect(sized).toEqual(recovered.map(({ text }) => text))
    await recover({ isHeld: () => true })
    expect(sized).toHaveLength(recovered.length)
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
    // Where nothing was dropped no question is put.
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

  const cranes = (count: number, more: Partial<Leaving> = {}) =>
    Array.from({ length: count }, (_, i) => leaving(`crane${i}`, `${HARBOUR} Note ${i}.`, more))

  test('five at most, the most alike first, each text once however often it was dropped', async () => {
    const { recover, ports } = await stored()
    await dropToCold(ports, [...cranes(7), leaving('again', HARBOUR)], DEFAULT_POLICY)
    const { recovered } = await recover()
    expect(recovered).toHaveLength(5)
    expect(new Set(recovered.map(({ text }) => contentOfNote(text))).size).toBe(5)
    const scores = recovered.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  })

  test('what a summary speaks for takes a quarter of the room at most, other things all of it', async () => {
    const comeBack = async (more: Partial<Leaving>) => {
      const all = await stored()
      await dropToCold(all.ports, cranes(4, more), DEFAULT_POLICY)
      const isHeld = ({ chunkId }: { chunkId: string }) => chunkId === 'harbour'
      const away = (await all.recover({ isHeld, room: 1e6 })).recovered
      expect(away).toHaveLength(4)
      const room = Math.ceil(Math.max(...away.map(({ tokens }) => tokens))) * 4
      const { recovered, tooLarge } = await all.recover({ isHeld, room })
      return [recovered.length, tooLarge]
    }
    expect(await comeBack({ reason: SUMMARISED_REASON })).toEqual([1, 3])
    expect(await comeBack({})).toEqual([4, 0])
  })

  test('I7: what cannot be logged is said, once for each', async () => {
    const { ports, library } = await stored()
    await dropToCold(ports, cranes(1), DEFAULT_POLICY)
    let count = 0
    const add = async () => (++count === 1 ? null : 'The disk is full.')
    const sizeOf = (text: string) => text.length / 4
    const own = { library, log: { add, addAll: add }, sizeOf, embedding: null, mask: (text: string) => text }
    const done = await autoRecover(own, request)
    expect(done.recovered).toHaveLength(2)
    expect(await done.settled()).toEqual(['The disk is full.'])
  })

  test('no room is no search', async () => {
    const { recover, settle } = await stored()
    const none = await recover({ room: 0 })
    expect(none).toMatchObject({ recovered: [], tooLarge: 0, notes: [], likenessBy: null })
    expect(await settle(none)).toEqual([])
  })
})
