import { describe, expect, it } from 'vitest'
import { NEED_KINDS } from '../../core/replay/replay-session'
import { precisionOf } from './precision'

describe('the precision of a kind of need', () => {
  it('is the prior where nothing was counted, and moves with what was', () => {
    const of = (path: number) => NEED_KINDS.map((kind) => (kind === 'path' ? path : 0))
    const counts = [
      { shown: of(1), unseen: of(1) },
      { shown: of(0), unseen: of(8) },
    ]
    expect(precisionOf([], 'path')).toBe(0.8)
    expect(precisionOf(counts, 'path')).toBe(0.45)
    expect(precisionOf(counts, 'url')).toBe(0.8)
  })
})
