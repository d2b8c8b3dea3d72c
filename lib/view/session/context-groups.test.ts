import { describe, expect, it } from 'vitest'
import type { CategoryTokens } from '../../core/tokens/category'
import { ContextRun } from '../../core/tokens/context-run'
import { Branches } from '../../core/transcript/branches'
import type { EntryFact } from '../../core/transcript/entry'
import { UNKNOWN_ROUTE } from '../../core/transcript/fold/call-route'
import { startsTurn } from './branch-marks'
import { groupItems, heaviestItems } from './context-groups'
import type { ContextChoice } from './context-rows'
import { ContextTable, chooseItems } from './context-table'

/** The context after messages that follow one another, the first one at sequence number 1. */
function tableOf(messages: readonly Partial<EntryFact>[], categories: CategoryTokens): ContextTable {
  const branches = Branches.of(
    messages.map((fact, i) => ({
      seq: i + 1,
      line: i + 2,
      offset: 0,
      bytes: 10,
      type: 'message',
      id: `e${i + 1}`,
      parentId: i > 0 ? `e${i}` : null,
      at: null,
      ...fact,
    })),
  )
  const run = new ContextRun(branches, branches.leaf, {
    sender: 'openclaw',
    startsTurn,
    route: UNKNOWN_ROUTE,
  })
  const prefix = run.prefix(branches.leaf, UNKNOWN_ROUTE)
  if (prefix === null) throw new Error('a run holds the context that it was made for')
  return new ContextTable(run, prefix, categories)
}

const table = tableOf(
  [
    { role: 'user', units: { user: 10 } },
    { role: 'assistant', units: { assistant: 30, 'tool-call': 10 }, calls: [{ id: 'c1', name: 'exec' }] },
    { role: 'toolResult', units: { 'tool-result': 100 }, resultFor: 'c1' },
    { role: 'assistant', units: { assistant: 50 }, stopReason: 'error' },
    { role: 'user', units: { user: 30 } },
    { role: 'bashExecution', units: { 'tool-result': 300 } },
  ],
  {
    'system-prompt': 900,
    user: 80,
    assistant: 60,
    'tool-call': 20,
    'tool-result': 800,
    residual: 140,
  },
)
const items = Array.from({ length: table.length }, (_, order) => table.itemAt(order))

function chosen(choice: ContextChoice): number[] {
  return [...chooseItems(table, choice).orders]
}

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
    expect(chosen({ sort: 'tokens', descending: true, category: null })).toEqual([0, 6, 3, 7, 2, 5, 1, 4])
    expect(chosen({ sort: 'age', descending: true, category: null })).toEqual([1, 2, 3, 4, 5, 6, 0, 7])
  })

  it('filters by a category, unsent entries of it included', () => {
    expect(chosen({ sort: 'order', descending: false, category: 'assistant' })).toEqual([2, 4])
    expect(chosen({ sort: 'order', descending: false, category: 'tool-call' })).toEqual([2])
  })

  it('groups by category for the treemap and merges what is small without losing a token', () => {
    const groups = groupItems(table, 2)
    expect(groups.map((group) => group.category)).toEqual([
      'system-prompt',
      'user',
      'assistant',
      'tool-call',
      'tool-result',
      'residual',
    ])
    const many = tableOf(
      Array.from({ length: 10 }, (_, i) => ({ role: 'user', units: { user: i + 1 } })),
      { user: 5500 },
    )
    const tiles = groupItems(many, 3)[0]?.items
    expect(tiles).toEqual([
      { seq: 10, tokens: 1000 },
      { seq: 9, tokens: 900 },
      { seq: null, tokens: 3600, merged: 8 },
    ])
  })

  it('names the heaviest entries', () => {
    expect(heaviestItems(table, 2).map((order) => table.seq(order))).toEqual([6, 3])
  })
})
