import { describe, expect, it } from 'vitest'
import type { EntryFact } from '../entry'
import { asCopy, CountedBefore, mayBeCopy, supersedes } from './counted-before'

const entry = (more: Partial<EntryFact> = {}): EntryFact => ({
  ...{ seq: 1, line: 2, offset: 0, bytes: 1, type: 'message', role: 'user' },
  ...{ id: 'e1', parentId: 'e0', at: null },
  ...more,
})
const answer = (requestId: string, more: Partial<EntryFact> = {}) =>
  entry({ role: 'assistant', requestId, ...more })
const result = (resultFor: string) => entry({ role: 'toolResult', resultFor })

describe('B8 what a transcript holds once more', () => {
  const isCopy = (...given: Parameters<CountedBefore['isCopy']>) => {
    const known = new CountedBefore()
    for (const fact of [answer('r1'), result('a'), entry({ requestId: 'r3' })]) known.note(fact)
    return known.isCopy(...given)
  }

  it.each<[string, EntryFact, boolean]>([
    ['an answer of a request that was counted', answer('r1'), true],
    ['an answer of another request', answer('r2'), false],
    ['a result that was counted', result('a'), true],
    ['a result of another call', result('r1'), false],
    ['a question', entry(), false],
    ['what is no answer, under the id of a request', entry({ requestId: 'r1' }), false],
    ['an answer under an id that only a question had', answer('r3'), false],
  ])('is, of entries that go back: %s', (_what, fact, expected) => {
    expect(isCopy(fact, null, null, false)).toBe(expected)
  })

  it('is what enters the context under an id that it has, unless it is an answer', () => {
    const of = (given: EntryFact) => isCopy(given, entry(), null, false)
    expect([of(entry()), of(result('b')), of(entry({ type: 'custom' })), of(answer('r2'))]).toEqual([
      ...[true, true, false, false],
    ])
  })

  it('is no record of the last response that follows or replaces one of its records', () => {
    const [same, other] = [answer('r1'), answer('r2')]
    const of = (earlier: EntryFact | null, parent: EntryFact | null) => isCopy(same, earlier, parent, true)
    expect([of(null, same), of(same, other), of(null, null), of(null, other), of(other, same)]).toEqual([
      ...[false, false, true, true, true],
    ])
    expect(of(null, answer('r1', { copied: true }))).toBe(true)
    expect(isCopy(same, null, same, false)).toBe(true)
  })

  it('is the first record of a response there, or a next one behind it', () => {
    const given = answer('r1')
    expect(asCopy(given, null)).toEqual({ ...given, copied: true })
    expect(asCopy(given, answer('r2'))).toEqual({ ...given, copied: true })
    expect(asCopy(given, answer('r1'))).toEqual({ ...given, copied: true, again: true })
    expect(asCopy(entry(), entry())).toEqual({ ...entry(), copied: true })
  })

  it('may be a result or an answer with an id', () => {
    const entries = [result('a'), answer('r1'), entry({ requestId: 'r1' }), entry({ role: 'assistant' })]
    expect(entries.map(mayBeCopy)).toEqual([true, true, false, false])
  })
})

describe('B8 an entry under the id of an earlier one', () => {
  const first = entry({
    ...{ customType: 'x', requestId: 'r', resultFor: 'c', preview: 'Ships.' },
    ...{ units: { user: 3 }, calls: [{ id: 'c', name: 'read' }] },
  })

  it.each<[string, Partial<EntryFact>]>([
    ['its type', { type: 'custom_message' }],
    ['its role', { role: 'assistant' }],
    ['its own type', { customType: 'y' }],
    ['its request', { requestId: 's' }],
    ['its call', { resultFor: 'd' }],
    ['its text', { preview: 'Boats.' }],
    ['its size', { units: { user: 4 } }],
    ['what it calls', { calls: [{ id: 'c', name: 'write' }] }],
  ])('counts in its place where it differs in %s', (_what, more) => {
    expect(supersedes({ ...first, ...more }, first)).toBe(true)
  })

  it('does not where it says the same at another place, or is below itself', () => {
    expect(supersedes({ ...first, seq: 9, line: 10, offset: 7, at: 5, parentId: 'p' }, first)).toBe(false)
    expect(supersedes({ ...first, preview: 'Boats.', parentId: 'e1' }, first)).toBe(false)
  })
})
