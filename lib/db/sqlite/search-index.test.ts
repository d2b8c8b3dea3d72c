import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { anyCharacter } from '../../testing/builders/any-text'
import { packTexts } from '../search-texts'
import { LocalConnection } from './local-connection'
import { matchExpressions, SearchIndex } from './search-index'

let connection: LocalConnection
let index: SearchIndex
beforeEach(() => {
  connection = new LocalConnection(':memory:')
  index = new SearchIndex(connection)
})
afterEach(() => index.close())

const write = (sessionRow: number, texts: readonly string[]) =>
  index.write([{ sessionRow, from: 0, texts: packTexts(0, texts) }])
const places = (query: string, sessionRow?: number) =>
  index.find(query, 5_000, sessionRow).map((hit) => `${hit.sessionRow}/${hit.seq}`)

describe('X2: full-text search', () => {
  it('takes the last word as a beginning while it is typed, and as a whole after a space', async () => {
    await write(1, ['the harbour master', 'a harbinger', 'the har'])
    expect(places('harb').toSorted()).toEqual(['1/0', '1/1'])
    expect(places('harb ')).toEqual([])
    expect(places('har ')).toEqual(['1/2'])
  })

  it('does not look for beginnings that are everywhere', async () => {
    await write(1, ['the harbour', 'ha'])
    expect(places('ha')).toEqual(['1/1'])
  })

  it('requires every word, and quoted words together', async () => {
    await write(1, ['red buoy and lamp', 'buoy red'])
    expect(places('buoy red ').toSorted()).toEqual(['1/0', '1/1'])
    expect(places('"red buoy"')).toEqual(['1/0'])
  })

  it('ranks a rare find, and lists a frequent one newest first', async () => {
    await write(1, ['anchor', `anchor ${'filler '.repeat(80)}`])
    expect(places('anchor ')).toEqual(['1/0', '1/1'])
    await write(2, Array(1_500).fill('rope and tackle'))
    const hits = index.find('rope', 5_000)
    expect(hits).toHaveLength(1_500)
    expect(hits[0]).toEqual({ sessionRow: 2, seq: 1_499, rank: 0 })
  })

  it('stays within a session when asked to', async () => {
    await write(1, ['mast'])
    await write(2, ['mast', 'mast'])
    expect(places('mast', 2).toSorted()).toEqual(['2/0', '2/1'])
  })

  it('finds nothing, and fails on nothing, whatever is typed', () => {
    expect(matchExpressions('" \' ( * ^ : - + ! ~')).toBeNull()
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 40 }), (query) => {
        index.find(query, 10)
      }),
    )
    for (const query of ['AND', 'NEAR(a b)', 'text: x', 'a OR', '"', '""', 'x* y', 'NOT x', '-x', 'a"b'])
      index.find(query, 10)
  })
})

describe('writing to a large index', () => {
  it('finds the beginning of a text that is longer than any of an entry should be', async () => {
    await write(1, [`keel ${'é'.repeat(70_000)} stern`, 'rudder', `bow ${'x'.repeat(1 << 20)}`])
    expect(places('keel ')).toEqual(['1/0'])
    expect(places('stern ')).toEqual([])
    expect(places('rudder ')).toEqual(['1/1'])
    expect(places('bow ')).toEqual(['1/2'])
  })

  it('gives every text to its own entry, whatever characters they meet at', async () => {
    await index.write([
      {
        sessionRow: 7,
        from: 4,
        texts: packTexts(4, ['mast', '', 'größe naïve', 'end \ud83d', '\ude00 start', 'a\0b', '帆柱']),
      },
    ])
    const found = (query: string) => places(`${query} `)
    expect(found('mast')).toEqual(['7/4'])
    expect(found('grosse')).toEqual([])
    expect(found('größe')).toEqual(['7/6'])
    expect(found('naive')).toEqual(['7/6'])
    expect(found('end')).toEqual(['7/7'])
    expect(found('start')).toEqual(['7/8'])
    expect(found('b')).toEqual(['7/9'])
    expect(found('帆柱')).toEqual(['7/10'])
    expect(connection.run('SELECT count(*) FROM "EntryText_docsize"').rows).toEqual([[6]])
  })

  it('does not walk through it for every session', async () => {
    const words = Array.from({ length: 40_000 }, (_, i) => `word${i % 977}`)
    const empty = (first: number) =>
      Array.from({ length: 500 }, (_, i) => ({ sessionRow: first + i, from: 0, texts: packTexts(0, []) }))
    const cpuOf = async (work: () => Promise<void>) => {
      const from = process.cpuUsage()
      await work()
      return process.cpuUsage(from).user
    }
    const inSmall = await cpuOf(() => index.write(empty(1_000)))
    await write(1, words)
    // A walk takes some milliseconds for each session, and so hundreds of times as long.
    expect((await cpuOf(() => index.write(empty(2)))) / Math.max(inSmall, 5_000)).toBeLessThan(30)
    expect(index.find('word7', 10, 1)).toHaveLength(10)
    expect(index.find('word7', 10, 2)).toEqual([])
  })

  const session = (sessionRow: number, text: string) => ({
    sessionRow,
    from: 0,
    texts: packTexts(0, [text]),
  })
  const long = (sessionRow: number) => ({
    sessionRow,
    from: 0,
    texts: packTexts(0, Array(125).fill('rope '.repeat(400))),
  })
  const parts = () => connection.run('SELECT count(DISTINCT "segid") FROM "EntryText_idx"').rows[0]?.[0]

  it('makes one part of what comes together, in whatever order', async () => {
    await index.reset('new')
    await index.write([session(3, 'buoy'), session(1, 'buoy'), session(2, 'buoy')])
    expect(parts()).toBe(1)
    expect(places('buoy ').toSorted()).toEqual(['1/0', '2/0', '3/0'])
    await index.write([session(2, 'lamp')])
    expect(places('buoy ').toSorted()).toEqual(['1/0', '3/0'])
  })

  it('leaves merging to the small writes that follow large ones', async () => {
    await index.reset('new')
    const merged = () =>
      connection.run(`SELECT "v" FROM "EntryText_config" WHERE "k" = 'automerge'`).rows[0]?.[0]
    for (let row = 0; row < 20; row++) await index.write([long(row)])
    expect([parts(), merged()]).toEqual([20, 0])
    await index.write([session(20, 'rope')])
    expect(merged()).toBe(16)
    expect(places('rope ')).toHaveLength(20 * 125 + 1)
  })
})
