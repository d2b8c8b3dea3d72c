import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fileColdStore } from '../../adapters/cold/file-cold-store'
import { contentOfNote } from '../../core/cold/place-back'
import type { ColdRecord } from '../../core/cold/record'
import { ChunkLives } from '../../core/logs/chunk-life'
import type { Policy } from '../../core/policy/policy'
import { coldAgent, MEMFAS, NOW, said } from '../../testing/cold-conversation'
import { failingFiles } from '../../testing/failing-files'
import { contentText } from '../../testing/live-conversation'
import { MemoryDisk } from '../../testing/memory-disk'

const DAY = 86_400_000
const ASK = said('user', 'Which crane stands at pier seven?')
const TOPICS = ['ledger', 'bread', 'weather', 'paint']

/** Drops all but the question after every reply. */
const DROPS_ALL: Policy = {
  ...MEMFAS,
  lines: { ...MEMFAS.lines, curate: { enabled: true, at: 0.0001 } },
  relevance: { ...MEMFAS.relevance, minChunks: 0, cutoff: 0.98, keep: 0.99 },
}

function world(meanwhile: { run: () => void } = { run: () => undefined }) {
  let now = NOW
  const talk = TOPICS.map((topic) =>
    said('assistant', `${topic}: ${'nothing to be said. '.repeat(8)}`, NOW - DAY),
  )
  const clock = { now: () => ++now }
  const agent = coldAgent([...talk, ASK], DROPS_ALL, {
    ...{ window: 100_000, clock },
    getMessages: () => {
      meanwhile.run()
      return [ASK]
    },
  })
  const ids = async () => {
    const { chunks } = await agent.cold.list()
    return new Map(chunks.map((chunk) => [chunk.content, chunk.chunkId]))
  }
  const states = async () => {
    const lives = new ChunkLives()
    for (const line of agent.lines) lives.logged(line)
    for (const { until, ...chunk } of (await agent.cold.list()).chunks)
      lives.stored({ ...chunk, recoverableUntil: until })
    return new Map(lives.lives(now).map((life) => [life.chunkId, life]))
  }
  const held = () =>
    agent.held.messages.map((message) => contentOfNote(contentText(message)) ?? contentText(message))
  return { ...agent, talk, ids, states, contents: held }
}

describe('a chunk that came back and is dropped again', () => {
  test('I1, I7: keeps its id and its one record; its life tells dropped, recovered, dropped', async () => {
    const { context, cold, ids, states, logged } = world()
    await context.afterResponse()
    const first = await ids()
    expect(first.size).toBe(TOPICS.length)
    const [id = ''] = first.values()
    expect((await context.recover(id)).kind).toBe('recovered')
    expect((await states()).get(id)?.state).toBe('in-context')
    await context.afterResponse()
    expect((await cold.list()).chunks).toHaveLength(TOPICS.length)
    expect(await ids()).toEqual(first)
    const life = (await states()).get(id)
    expect(life?.state).toBe('cold')
    expect(life?.events.map(({ what }) => what).filter((what) => what !== 'stored')).toEqual([
      'dropped',
      'recovered',
      'dropped',
    ])
    expect(logged('drops')).toHaveLength(TOPICS.length + 1)
  })

  test('I1, I5–I7: whatever is dropped, comes back and is taken back, each content has one record', async () => {
    const step = fc.oneof(
      fc.constant('drop' as const),
      fc.record({ recover: fc.nat(TOPICS.length - 1) }),
      fc.record({ undo: fc.nat(TOPICS.length - 1) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { context, cold, ids, states, contents, talk } = world()
        await context.afterResponse()
        const known = await ids()
        const idOf = (n: number) => known.get(contentText(talk[n] ?? ASK)) ?? ''
        const back = new Set<string>()
        for (const one of steps) {
          if (one === 'drop') {
            await context.afterResponse()
            back.clear()
          } else if ('recover' in one) {
            const id = idOf(one.recover)
            expect((await context.recover(id)).kind).toBe(back.has(id) ? 'unchanged' : 'recovered')
            back.add(id)
          } else {
            const id = idOf(one.undo)
            expect((await context.undoRecovery(id)).kind).toBe(back.has(id) ? 'undone' : 'refused')
            back.delete(id)
          }
          expect((await cold.list()).chunks).toHaveLength(TOPICS.length)
          expect(await ids()).toEqual(known)
          for (const [content, id] of known) {
            expect(contents().includes(content)).toBe(back.has(id))
            expect((await states()).get(id)?.state).toBe(back.has(id) ? 'in-context' : 'cold')
          }
        }
      }),
      { numRuns: 40 },
    )
  })

  test('I1: a drop that is given up, as the conversation changed meanwhile, leaves the record as it was', async () => {
    const meanwhile = { run: () => {} }
    const { context, cold, ids, states, held } = world(meanwhile)
    await context.afterResponse()
    const [id = ''] = (await ids()).values()
    await context.recover(id)
    const before = await cold.list()
    meanwhile.run = () => {
      held.messages = held.messages.slice(1)
    }
    const { warnings } = await context.afterResponse()
    expect(warnings.join()).toContain('changed meanwhile')
    expect((await cold.list()).chunks).toEqual(before.chunks)
    expect((await states()).get(id)?.state).toBe('in-context')
  })

  test('I8: what the end of a session has stored anew can still be taken back', async () => {
    const { context, ids, contents } = world()
    await context.afterResponse()
    const [id = ''] = (await ids()).values()
    await context.recover(id)
    await context.sessionEnd()
    expect((await context.undoRecovery(id)).kind).toBe('undone')
    expect(contents()).toEqual([contentText(ASK)])
  })
})

describe('a record that is renewed', () => {
  const record = (more: Partial<ColdRecord> = {}): ColdRecord => ({
    ...{ chunkId: 'c1', sessionId: 's1', at: NOW, content: 'The harbour.', tokens: 7, place: null },
    ...{ reason: 'low_relevance', score: 0.1, prompt: 'the pier', until: NOW + 30 * DAY },
    ...more,
  })
  const again = record({ at: NOW + DAY, until: NOW + 7 * DAY, tokens: 90, score: 0.2, prompt: 'the tide' })
  const renewed = { ...again, until: NOW + 30 * DAY, tokens: 7 }
  const open = (disk: MemoryDisk) => fileColdStore(disk, '/cold', () => String(++count))
  let count = 0

  test('has the newer drop and is kept no shorter; also from a journal, and after a loss of power', async () => {
    for (const beside of [[], [record({ chunkId: 'c2', content: 'Another.' })]]) {
      const disk = new MemoryDisk()
      await open(disk).put([record(), ...beside])
      const [stored] = await open(disk).put([again, ...beside])
      expect(stored).toMatchObject({ record: renewed, earlier: record() })
      disk.losePower(() => 0)
      const first = async () => (await open(disk).list()).chunks.find(({ chunkId }) => chunkId === 'c1')
      expect(await first()).toMatchObject(renewed)
      // Settles the journals, which have the earlier record.
      await open(disk).remove([])
      expect(await first()).toMatchObject(renewed)
      expect((await open(disk).list()).chunks).toHaveLength(1 + beside.length)
    }
  })

  test('is there, earlier or renewed, whenever the process is killed; and as it was when the disk is full', async () => {
    const run = async (fault: Parameters<typeof failingFiles>[1]) => {
      const disk = new MemoryDisk()
      await open(disk).put([record()])
      const failing = failingFiles(disk, fault)
      const store = fileColdStore(failing.files, '/cold', () => String(++count))
      const done = await store.put([again, record({ chunkId: 'c2', content: 'Another.' })]).catch(() => null)
      disk.losePower(() => 0)
      const { chunks } = await open(disk).list()
      return { done, calls: failing.calls, c1: chunks.filter(({ chunkId }) => chunkId === 'c1') }
    }
    const { calls } = await run(null)
    for (let at = 0; at < calls.length; at++)
      for (const kind of ['before', 'half', 'after'] as const) {
        const { c1 } = await run({ at, kind })
        expect(c1).toMatchObject([{ content: 'The harbour.' }])
      }
    const journal = calls.findIndex((call) => call.startsWith('fsync') && call.includes('.journal/'))
    const full = await run({ at: journal, code: 'ENOSPC' })
    expect(full.done).toBeNull()
    expect(full.c1).toMatchObject([record()])
  })
})
