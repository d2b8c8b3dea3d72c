import { describe, expect, it } from 'vitest'
import { type CopyFacts, foldCopies } from './copies'

const transcript = (
  name: string,
  state: string,
  updatedAt: number | null,
  more: Partial<CopyFacts> = {},
) => ({
  name,
  facts: { store: 's', agent: 'main', sessionId: 'harbour', state, updatedAt, ...more },
})

function fold(items: readonly ReturnType<typeof transcript>[]) {
  return foldCopies(items, ({ facts }) => facts).map(({ head, copies }) => [
    head.name,
    ...copies.map(({ name }) => name),
  ])
}

describe('X2: copies fold under their session', () => {
  it('the live transcript is the session, however new its copies are', () => {
    const items = [
      transcript('backup', 'backup', 30),
      transcript('checkpoint', 'checkpoint', 40),
      transcript('live', 'live', 10),
      transcript('gone', 'gone', 99),
    ]
    expect(fold(items)).toEqual([['live', 'checkpoint', 'backup', 'gone']])
  })

  it('without a live transcript the newest one that is there is the session', () => {
    const items = [
      transcript('gone', 'gone', 99),
      transcript('old', 'checkpoint', 1),
      transcript('new', 'checkpoint', 2),
    ]
    expect(fold(items)).toEqual([['new', 'old', 'gone']])
    expect(fold(items.toReversed())).toEqual([['new', 'old', 'gone']])
  })

  it('other stores, agents and ids stay apart, and so do several live transcripts of one id', () => {
    const items = [
      transcript('a', 'live', 1),
      transcript('b', 'backup', 1, { store: 't' }),
      transcript('c', 'backup', 1, { agent: null }),
      transcript('d', 'backup', 1, { sessionId: 'quay' }),
      transcript('e', 'live', 5),
      transcript('f', 'reset', 3),
    ]
    expect(fold(items)).toEqual([['a'], ['b'], ['c'], ['d'], ['e', 'f']])
  })
})
