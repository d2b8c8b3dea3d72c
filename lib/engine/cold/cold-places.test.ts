import { describe, expect, test } from 'vitest'
import { chooseChunk } from './choose-chunk'
import { joinSearches, placeOfChunk, removerOf } from './cold-places'
import type { ColdChunk } from './cold-store'
import { copyChunk } from './copy-chunk'
import { extendChunk } from './extend-chunk'
import { purgeCold } from './purge-cold'

const chunkOf = (more: Partial<ColdChunk>): ColdChunk => ({
  ...{ chunkId: 'c', sessionId: 's1', at: 1, content: 'text', tokens: 1, reason: null, score: null },
  ...{ prompt: null, until: 10, place: null, file: '/a/s1/c.json' },
  ...more,
})
const BY_HAND = { trigger: 'manual', query: null, score: null } as const

describe('the chunk that an id means', () => {
  const named = [
    chunkOf({ at: 1 }),
    chunkOf({ at: 3 }),
    chunkOf({ at: 2 }),
    chunkOf({ sessionId: 's2', at: 9 }),
  ]

  test('I4 of one session it is the newest, or the one of its time', () => {
    expect(chooseChunk(named, { session: 's1' })).toMatchObject({ kind: 'one', chunk: { at: 3 } })
    expect(chooseChunk(named, { session: 's1', at: 1 })).toMatchObject({ kind: 'one', chunk: { at: 1 } })
    expect(chooseChunk(named, { session: 's3' })).toEqual({ kind: 'none' })
  })

  test('I4 of several sessions it is not clear, unless one of them is preferred', () => {
    expect(chooseChunk(named, {})).toMatchObject({ kind: 'several', chunks: [{ at: 3 }, { at: 9 }] })
    expect(chooseChunk(named, { prefer: 's2' })).toMatchObject({ kind: 'one', chunk: { at: 9 } })
    expect(chooseChunk(named.slice(0, 3), { prefer: 's2' })).toMatchObject({ kind: 'one', chunk: { at: 3 } })
  })
})

describe('several folders of cold storage', () => {
  const folder = (root: string, removed: ColdChunk[]) => ({
    store: {
      root,
      put: async () => [],
      list: async () => ({ chunks: [], problems: [] }),
      extend: async () => 0,
      remove: async (chunks: readonly ColdChunk[]) => removed.push(...chunks),
    },
  })

  test('I3 each chunk is removed from the folder that it lies in, also where one name begins like another', async () => {
    const [a, ab]: [ColdChunk[], ColdChunk[]] = [[], []]
    const places = [folder('/a', a), folder('/ab', ab)]
    const chunks = [chunkOf({ file: '/ab/s1/c.json' }), chunkOf({ file: '/a/s1/c.json' })]
    expect(await removerOf(places).remove(chunks)).toBe(2)
    expect([a, ab].map((some) => some.map(({ file }) => file))).toEqual([['/a/s1/c.json'], ['/ab/s1/c.json']])
    expect(() => placeOfChunk(places, { file: '/b/c.json' })).toThrow('in no folder')
  })

  test('I4 the best of all are found, and counts are added while all are known', () => {
    const search = (rank: number, matching: number | null) => ({
      ...{ found: [{ chunk: chunkOf({ at: rank }), rank }], matching, problems: [] },
    })
    const { found, matching } = joinSearches([search(1, 4), search(3, 5), search(2, 6)], 2)
    expect(found.map(({ rank }) => rank)).toEqual([3, 2])
    expect(matching).toBe(15)
    expect(joinSearches([search(1, 4), search(2, null)], 2).matching).toBeNull()
  })

  test('I3 a purge of other chunks than those that were seen removes nothing', async () => {
    const removed: ColdChunk[] = []
    const expired = async () => ({ chunks: [chunkOf({})], keep: 0, problems: [] })
    const purge = (agrees: boolean) =>
      purgeCold(folder('/a', removed).store, { expired }, { apply: true, agreed: () => agrees })
    expect(await purge(false)).toMatchObject({ removed: null })
    expect(removed).toEqual([])
    expect(await purge(true)).toMatchObject({ removed: 1 })
  })

  test('I3 a chunk is kept longer, never shorter; one that is gone is not said to be kept', async () => {
    const extend = (until: number | null, found: number) =>
      extendChunk(
        { store: { ...folder('/a', []).store, extend: async () => found }, now: () => 0 },
        chunkOf({ until }),
        1,
      )
    expect(await extend(5, 1)).toEqual({ kind: 'extended', until: 86_400_000 })
    expect(await extend(null, 1)).toEqual({ kind: 'extended', until: 86_400_000 })
    expect(await extend(86_400_000, 1)).toEqual({ kind: 'unchanged', until: 86_400_000 })
    expect(await extend(5, 0)).toEqual({ kind: 'gone', until: 5 })
  })
})

test('I3 I7 an expired chunk is not copied; one that is copied is logged, and a refused one is not', async () => {
  const lines: unknown[] = []
  const add = async (...line: unknown[]) => {
    lines.push(line)
    return null
  }
  const copy = (now: number, deliver: () => Promise<null | { code: 'changed'; message: string }>) =>
    copyChunk({ now: () => now, log: { add, addAll: async () => null }, deliver }, chunkOf({}), {
      ...{ destination: 'file', cause: BY_HAND },
    })
  const refusal = { code: 'changed', message: 'It is there.' } as const
  expect(await copy(11, async () => null)).toMatchObject({ kind: 'refused', refusal: { code: 'expired' } })
  expect(await copy(1, async () => refusal)).toEqual({ kind: 'refused', refusal })
  expect(lines).toEqual([])
  expect(await copy(1, async () => null)).toEqual({ kind: 'copied', notes: [] })
  expect(lines).toMatchObject([['recovery', { chunkId: 'c', destination: 'file' }]])
})
