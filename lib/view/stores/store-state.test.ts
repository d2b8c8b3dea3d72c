import { describe, expect, it } from 'vitest'
import { storeBadge } from './store-state'

describe('X1 how a store is, in a word', () => {
  it('is not ok when a part of it was left out', () => {
    expect(storeBadge({ state: 'ok', problem: null, findingsProblem: null })).toEqual({
      label: 'ok',
      tone: 'ok',
    })
    expect(storeBadge({ state: 'ok', problem: 'its index cannot be read', findingsProblem: null })).toEqual({
      label: 'in part',
      tone: 'attention',
    })
    expect(storeBadge({ state: 'ok', problem: null, findingsProblem: 'x' }).label).toBe('in part')
    expect(storeBadge({ state: 'locked', problem: 'x', findingsProblem: null }).tone).toBe('attention')
    expect(storeBadge({ state: 'unreadable', problem: 'x', findingsProblem: null }).tone).toBe('danger')
  })
})
