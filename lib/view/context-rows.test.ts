import { describe, expect, it } from 'vitest'
import type { ContextEntry } from '../core/transcript/context'
import type { EntryFact } from '../core/transcript/entry'
import { chooseItems, contextItems, groupItems, heaviestItems } from './context-rows'

function entry(seq: number, fact: Partial<EntryFact>, rest: Partial<ContextEntry> = {}): ContextEntry {
  return {
    fact: {
      seq,
      line: seq + 1,
      offset: 0,
      bytes: 10,
      type: 'message',
      id: `e${seq}`,
      parentId: seq > 0 ? `e${seq - 1}` : null,
      at: null,
      ...fact,
    },
    sent: true,
    ...rest,
  }
}

const context = [
  entry(1, { role: 'user', units: { user: 10 } }),
  entry(2, { role: 'assistant', units: { assistant: 30, 'tool-call': 10 } }),
  entry(3, { role: 'toolResult', units: { 'tool-result': 100 } }),
  entry(4, { role: 'assistant', units: { assistant: 50 } }, { sent: false, why: 'failed-turn' }),
  entry(5, { role: 'user', units: { user: 30 } }),
  entry(6, { role: 'toolResult', units: { 'tool-result': 300 } }),
]
const categories = {
  'system-prompt': 900,
  user: 80,
  assistant: 60,
  'tool-call': 20,
  'tool-result': 800,
  residual: 140,
}
const items = contextItems({
  context,
  categories,
  path: [1, 2, 3, 4, 5, 6],
  turnStarts: (seq) => seq === 1 || seq === 5,
})

describe('X5 what the model saw, in order', () => {
  it('adds up to the frame: the fixed part first, the residual last', () => {
    expect(items.reduce((sum, item) => sum + item.tokens, 0)).toBe(2000)
    expect(items.map((item) => item.category)).toEqual([
      'system-prompt',
      'user',
      'assistant',
      'tool-result',
      'assistant',
      'user',
      'tool-result',
      'residual',
    ])
    expect(items.map((item) => item.tokens)).toEqual([900, 20, 80, 200, 0, 60, 600, 140])
  })

  it('says what was not sent and why; it takes no room', () => {
    expect(items[4]).toMatchObject({ seq: 4, sent: false, why: 'failed-turn', tokens: 0 })
  })

  it('counts the turns that began after an entry', () => {
    expect(items.map((item) => item.age)).toEqual([null, 1, 1, 1, 1, 0, 0, null])
  })

  it('sorts by tokens and by age, in the order of the window among equals', () => {
    const sorted = chooseItems(items, { sort: 'tokens', descending: true, category: null })
    expect(sorted.map((item) => item.order)).toEqual([0, 6, 3, 7, 2, 5, 1, 4])
    const byAge = chooseItems(items, { sort: 'age', descending: true, category: null })
    expect(byAge.map((item) => item.order)).toEqual([1, 2, 3, 4, 5, 6, 0, 7])
  })

  it('filters by a category, unsent entries of it included', () => {
    const assistant = chooseItems(items, { sort: 'order', descending: false, category: 'assistant' })
    expect(assistant.map((item) => item.seq)).toEqual([2, 4])
    const calls = chooseItems(items, { sort: 'order', descending: false, category: 'tool-call' })
    expect(calls.map((item) => item.seq)).toEqual([2])
  })

  it('groups by category for the treemap and merges what is small without losing a token', () => {
    const groups = groupItems(items, 2)
    expect(groups.map((group) => group.category)).toEqual([
      'system-prompt',
      'user',
      'assistant',
      'tool-call',
      'tool-result',
      'residual',
    ])
    const many = contextItems({
      context: Array.from({ length: 10 }, (_, i) => entry(i, { role: 'user', units: { user: i + 1 } })),
      categories: { user: 5500 },
      path: [],
      turnStarts: () => false,
    })
    const tiles = groupItems(many, 3)[0]?.items
    expect(tiles).toEqual([
      { seq: 9, tokens: 1000 },
      { seq: 8, tokens: 900 },
      { seq: null, tokens: 3600, merged: 8 },
    ])
  })

  it('names the heaviest entries', () => {
    expect(heaviestItems(items, 2).map((item) => item.seq)).toEqual([6, 3])
  })
})
