import { describe, expect, it } from 'vitest'
import { idOfPlace, LiveEntry, placeOfId } from './live-path'

describe('messages of a live conversation as plans read them', () => {
  it('have an id by their place, which leads back to it', () => {
    expect([0, 7].map((place) => placeOfId(idOfPlace(place), 8))).toEqual([0, 7])
    expect(['m8', 'm-2', 'm07', 'x1', ''].map((id) => placeOfId(id, 8))).toEqual([-1, -1, -1, -1, -1])
  })

  it.each([
    [{ role: 'user' }, false, 'user'],
    [{ role: 'assistant' }, false, 'assistant'],
    [{ role: 'assistant', calls: [] }, false, 'assistant'],
    [{ role: 'assistant', calls: [{ id: 'a' }] }, false, 'tool-call'],
    [{ role: 'toolResult', resultFor: 'a' }, false, 'tool-result'],
    [{ role: 'user' }, true, 'summary'],
    [{ role: 'user', calls: [{ id: 'a' }] }, false, 'user'],
    [{ role: 'custom' }, false, 'other'],
    [{}, false, 'other'],
  ] as const)('%j counts by what it is', (message, isSummary, category) => {
    const entry = new LiveEntry(message, 3, 40, isSummary, false)
    expect([entry.category, entry.byCategory]).toEqual([category, { [category]: 40 }])
    expect([entry.tokens, entry.size, entry.sent]).toEqual([40, 40, true])
    const { id, parentId, line, type, seq, important } = entry.fact
    expect({ id, parentId, line, type, seq, important }).toEqual({
      ...{ id: 'm3', parentId: 'm2', line: 4, type: 'message', seq: 3, important: undefined },
    })
    // It has no time and no place in a file.
    expect([entry.isOfOne, entry.fact.at, entry.fact.offset, entry.fact.bytes]).toEqual([true, null, 0, 0])
  })

  it('may begin what is kept also where they have no role', () => {
    expect(new LiveEntry({}, 3, 40, false, false).role).toBe('custom')
  })

  it('know the calls that they make and answer, and whether they were marked', () => {
    const { fact } = new LiveEntry({ role: 'assistant', calls: [{ id: 'a' }] }, 0, 1, false, true)
    expect([fact.calls, fact.important, fact.parentId]).toEqual([[{ id: 'a', name: '' }], true, null])
    expect(new LiveEntry({ role: 'toolResult', resultFor: 'a' }, 0, 1, false, false).fact.resultFor).toBe('a')
  })
})
