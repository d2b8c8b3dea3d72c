import { describe, expect, it } from 'vitest'
import { type Foreseen, pickDoubt } from './foreseen'

const gaining = (low: number, high: number) => ({ gain: { value: (low + high) / 2, low, high } }) as Foreseen

describe('what speaks against writing a pick', () => {
  it.each([
    ['it costs more even at the best of its interval', gaining(-0.6, -0.2), 'loss'],
    ['none says what it costs', null, 'unknown'],
    ['it may cost more', gaining(-0.2, 0.1), null],
    ['it saves', gaining(0.1, 0.3), null],
    ['nothing was spent', { gain: null } as Foreseen, null],
  ])('%s', (_words, foreseen, doubt) => {
    expect(pickDoubt(foreseen)).toBe(doubt)
  })
})
