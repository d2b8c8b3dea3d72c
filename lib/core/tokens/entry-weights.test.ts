import { describe, expect, it } from 'vitest'
import type { EntryFact } from '../transcript/entry'
import type { EntryUnits } from './category'
import { EntryWeights } from './entry-weights'

function entry(seq: number, role: string, units: EntryUnits, fields: Partial<EntryFact> = {}) {
  const place = { seq, line: seq + 1, offset: 0, bytes: 1, id: `e${seq}`, parentId: null, at: null }
  const fact: EntryFact = { ...place, type: 'message', role, units, ...fields }
  return { fact, sent: true } as const
}

const usage = { input: 900, output: 400, cacheRead: 0, cacheWrite: 0, costUsd: null }

describe('weights of the records of one response', () => {
  it('its output is divided among them, and counts once beside another answer', () => {
    const weights = new EntryWeights('claude-code')
    weights.add(entry(0, 'assistant', { assistant: 100 }, { usage, requestId: 'r1' }))
    weights.add(entry(1, 'toolResult', { 'tool-result': 5 }))
    weights.add(entry(2, 'assistant', { assistant: 300 }, { usage, requestId: 'r1', again: true }))
    weights.add(entry(3, 'assistant', { assistant: 400 }, { usage, requestId: 'r2' }))
    const shares = weights.divide(4, { assistant: 800, 'tool-result': 5 })
    expect([...shares.tokens]).toEqual([100, 5, 300, 400])
  })

  it('a report that comes with the last record is of all of them', () => {
    const weights = new EntryWeights('claude-code')
    const early = { ...usage, output: 2, outputUnsure: true } as const
    weights.add(entry(0, 'assistant', { thinking: 50 }, { usage: early }))
    weights.add(entry(1, 'assistant', { thinking: 50, 'tool-call': 100 }, { usage, again: true }))
    const shares = weights.divide(2, { thinking: 200, 'tool-call': 200 })
    expect([...shares.tokens]).toEqual([100, 300])
  })
})

describe('reasoning that is sent as long as its turn lasts', () => {
  it('has no part of a context of the next turn, and is whole in a separate one', () => {
    const weights = new EntryWeights('codex')
    weights.add(entry(0, 'user', { user: 10 }))
    weights.add(entry(1, 'assistant', { thinking: 60 }, { usage: null }))
    weights.add(entry(2, 'user', { user: 10 }))
    weights.add(entry(3, 'assistant', { thinking: 20 }, { usage: null }))
    expect([...weights.divide(2, { user: 10, thinking: 64 }).tokens]).toEqual([10, 64])
    expect([...weights.divide(4, { user: 20, thinking: 22 }).tokens]).toEqual([10, 0, 10, 22])
  })
})
