import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fileColdStore } from '../../adapters/cold/file-cold-store'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { anyCharacter } from '../../testing/builders/any-text'
import { MemoryDisk } from '../../testing/memory-disk'
import { archiveToCold, dropToCold, type Leaving } from './drop-to-cold'
import { purgeCold } from './purge-cold'
import { ANY_CHUNK, ColdLibrary } from './search-cold'

const ROOT = '/cold'
const DAY = 86_400_000
const START = Date.parse('2026-02-02T22:55:00Z')
const OFF = { coldStorage: { ...DEFAULT_POLICY.coldStorage, enabled: false } }

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
  const wait = (ms: number) => {
    time += ms
  }
  return { disk, ports, library, wait }
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
      content: fc.string({ unit: anyCharacter, maxLength: 60 }),
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
