import { expect, test } from 'vitest'
import type { ColdStore } from '../../engine/cold/cold-store'
import { takesLater } from '../../engine/cold/drop-to-cold'
import { transientCold } from '../../engine/cold/transient-cold'
import { RecordingCold } from './recording-cold'

const record = (chunkId: string) => ({
  ...{ chunkId, sessionId: 's', content: chunkId, tokens: 1, reason: null, score: null, prompt: null },
  ...{ place: null, at: 1, until: null },
})

test('V2: what has gone into cold storage and stayed there is reported once, the oldest first', async () => {
  const store: ColdStore = transientCold()
  const cold = new RecordingCold(store)
  expect(cold.root).toBe(store.root)
  const [first] = await cold.put([record('a'), record('b')] as never)
  await cold.put([record('c')] as never)
  if (first === undefined) throw new Error('nothing was stored')
  const { chunks } = await cold.list()
  expect(chunks).toHaveLength(3)
  const gone = chunks.filter(({ chunkId }) => chunkId === 'b')
  expect(await cold.remove(gone)).toBe(1)
  expect(await cold.remove([{ ...chunks[0], chunkId: 'a', file: 'elsewhere' } as never])).toBe(0)
  expect(
    cold
      .takeStored()?.()
      .map(({ record: { chunkId } }) => chunkId),
  ).toEqual(['a', 'c'])
  expect(cold.takeStored()).toBeNull()
  // Nor is anything reported of which nothing stayed.
  await cold.put([record('d')] as never)
  await cold.remove((await cold.list()).chunks.filter(({ chunkId }) => chunkId === 'd'))
  expect(cold.takeStored()).toBeNull()
  expect(await cold.extend((await cold.list()).chunks, 99)).toBe(2)
})

test('V2: it takes what is made later where its store does, and reports it when it is made', async () => {
  const cold = new RecordingCold(transientCold())
  if (!takesLater(cold)) throw new Error('its store does')
  const made = cold.putLater(() => [record('a')] as never)
  const stored = cold.takeStored()
  expect(stored?.().map(({ record: { chunkId } }) => chunkId)).toEqual(['a'])
  expect(made()).toEqual(stored?.())
  expect((await cold.list()).chunks).toHaveLength(1)
  expect(takesLater(new RecordingCold({ ...transientCold() }))).toBe(false)
})
