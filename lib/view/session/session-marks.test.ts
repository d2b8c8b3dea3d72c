import { describe, expect, it } from 'vitest'
import type { CompactionRecord } from '../../core/transcript/compaction-record'
import { callColumns } from '../../testing/builders/call-columns'
import { clusterPins, sessionMarks } from './session-marks'

const calls = callColumns([{ total: 186_000 }, { total: 42_000 }, { total: null }, { total: 50_000 }])

function compaction(values: Partial<CompactionRecord> = {}): CompactionRecord {
  return {
    seq: 9,
    at: null,
    kind: 'compaction',
    afterCall: 1,
    tokensBefore: null,
    tokensAfter: null,
    fromHook: false,
    preview: null,
    ...values,
  }
}

describe('X4 compaction pins', () => {
  it('shows the sizes of the calls around it where none were recorded', () => {
    expect(sessionMarks(calls, [compaction()]).pins[0]).toMatchObject({
      label: '186k→42k',
      before: 186_000,
      after: 42_000,
    })
  })

  it('prefers what was recorded, and says ? for what is unknown', () => {
    const { pins } = sessionMarks(calls, [
      compaction({ tokensBefore: 190_000, tokensAfter: 9_000 }),
      compaction({ afterCall: 2 }),
      compaction({ afterCall: 4, kind: 'reset' }),
    ])
    expect(pins.map((pin) => pin.label)).toEqual(['190k→9k', '42k→?', 'reset'])
    expect(pins[2]?.title).toBe('Reset after call 4')
  })

  it('is between its two calls, and joins pins that are too close', () => {
    const { pins } = sessionMarks(calls, [
      compaction(),
      compaction({ afterCall: 2 }),
      compaction({ afterCall: 3 }),
    ])
    expect(clusterPins(pins, { from: 1, to: 4 }, 400, 10).map((c) => c.x)).toEqual([100, 200, 300])
    const close = clusterPins(pins, { from: 1, to: 4 }, 40, 15)
    expect(close.map((c) => [c.x, c.label])).toEqual([
      [10, '2×'],
      [30, '?→50k'],
    ])
  })

  it('leaves out pins beside the range', () => {
    const { pins } = sessionMarks(calls, [compaction(), compaction({ afterCall: 3 })])
    expect(clusterPins(pins, { from: 3, to: 4 }, 100, 5)).toHaveLength(1)
  })
})

describe('X3 model changes', () => {
  it('names the call from which another model answered', () => {
    const changed = { ...calls, model: [0, 0, 1, -1], models: ['a/x', 'a/y'] }
    expect(sessionMarks(changed, []).models).toEqual([{ call: 3, model: 'a/y' }])
  })
})
