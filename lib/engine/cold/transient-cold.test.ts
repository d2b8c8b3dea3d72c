import { expect, test } from 'vitest'
import type { ColdRecord } from '../../core/cold/record'
import type { ColdChunk } from './cold-store'
import { ColdLibrary } from './search-cold'
import { transientCold } from './transient-cold'

const record = (chunkId: string, content: string, at = 1): ColdRecord => ({
  ...{ chunkId, sessionId: 's', at, content, tokens: 3, reason: 'low_relevance', score: 0.1 },
  ...{ prompt: null, until: 100, place: null },
})

test('what is kept in memory is listed newest first, and found by its words', async () => {
  const cold = transientCold()
  await cold.put([record('a', 'the crane lifts'), record('b', 'the quay is wet')])
  const { chunks } = await cold.list()
  expect(chunks.map(({ chunkId }) => chunkId)).toEqual(['b', 'a'])
  const found = await new ColdLibrary(cold, () => 2).search('crane', NO_FILTER, 5)
  expect(found.found.map(({ chunk }) => chunk.chunkId)).toEqual(['a'])
})

const NO_FILTER = {
  ...{ session: null, reason: null, minScore: null, maxScore: null, since: null, until: null },
  expired: false,
} as const

test('another chunk of the same id gets its own; the same one is renewed and kept no shorter', async () => {
  const cold = transientCold()
  const [first] = await cold.put([record('a', 'one')])
  const [other] = await cold.put([record('a', 'two')])
  expect(other?.record.chunkId).toBe('a-2')
  const [again] = await cold.put([{ ...record('a', 'one', 5), until: 50 }])
  expect(again).toMatchObject({ file: first?.file, record: { at: 5, until: 100 }, earlier: { at: 1 } })
  expect((await cold.list()).chunks).toHaveLength(2)
})

test('only what is still there as it was is removed or extended', async () => {
  const cold = transientCold()
  await cold.put([record('a', 'one'), record('b', 'two')])
  const { chunks } = await cold.list()
  expect(await cold.extend(chunks.slice(0, 1), 500)).toBe(1)
  expect(await cold.remove(chunks)).toBe(1)
  const left = (await cold.list()).chunks
  expect(left).toMatchObject([{ chunkId: 'b', until: 500 }])
  expect(await cold.remove(left)).toBe(1)
  expect((await cold.list()).chunks).toEqual([])
})

test('a chunk stays the same object while others come and go, so that an index reads it once', async () => {
  const cold = transientCold()
  await cold.put([record('a', 'the crane lifts')])
  const [before] = (await cold.list()).chunks
  await cold.put([record('b', 'the quay is wet')])
  const [other, after] = (await cold.list()).chunks
  expect(after).toBe(before)
  if (other !== undefined) await cold.extend([other], 500)
  expect((await cold.list()).chunks).toContain(before)
})

test('what was read beforehand is not read again by a search, and what has gone since is not found', async () => {
  let reads = 0
  const chunkOf = (name: string, content: string): ColdChunk => ({
    ...record(name, ''),
    file: name,
    get content() {
      reads += 1
      return content
    },
  })
  const chunks = Array.from({ length: 600 }, (_, i) => chunkOf(`c${i}`, `the crane at pier ${i + 1_200}`))
  let listed: readonly ColdChunk[] = chunks
  const library = new ColdLibrary({ list: async () => ({ chunks: listed, problems: [] }) }, () => 2)
  let pauses = 0
  await library.prepare(async () => {
    pauses += 1
  })
  expect([reads, pauses > 1]).toEqual([600, true])
  const namesOf = async (words: string) =>
    (await library.search(words, NO_FILTER, 1)).found.map(({ chunk }) => chunk.chunkId)
  expect(await namesOf('pier 1207')).toEqual(['c7'])
  expect(reads).toBe(600)
  listed = chunks.filter(({ chunkId }) => chunkId !== 'c7')
  expect(await namesOf('pier 1207')).not.toContain('c7')
})

test('what is read beforehand is not even made before its first pause: an answer goes out first', async () => {
  const cold = transientCold()
  let isMade = false
  cold.putLater?.(() => {
    isMade = true
    return [record('a', 'the crane lifts')]
  })
  let end = () => {}
  const work = new ColdLibrary(cold, () => 2).prepare(
    () =>
      new Promise((resolve) => {
        end = resolve
      }),
  )
  expect(isMade).toBe(false)
  end()
  await work
  expect(isMade).toBe(true)
})
