import { describe, expect, it } from 'vitest'
import { deviationText, type ExactReport, exactBasis, exactNotes } from './exact-count'

const OWN: ExactReport = {
  encoding: 'o200k_base',
  own: true,
  factor: 1,
  model: 'gpt-5',
  tokens: 1_000,
  estimated: 1_020,
  entries: 12,
  images: 0,
  cuts: 0,
  unreadable: 0,
  left: 0,
}

describe('B2 words of a count', () => {
  it('say exact only for the tokenizer of the model itself', () => {
    expect(exactBasis(OWN)).toBe('exact for o200k_base')
    expect(exactNotes(OWN)).toEqual(['The text alone, without what a provider puts around each message.'])
    const other = { ...OWN, own: false, factor: 1.22, model: 'claude-opus-4-8' }
    expect(exactBasis(other)).toBe('estimate by o200k_base')
    expect(exactNotes(other)[0]).toMatch(/Not the tokenizer of claude-opus-4-8.*22\u202f% more/)
    expect(exactBasis({ ...OWN, cuts: 1 })).toBe('estimate by o200k_base')
  })

  it('say what was left out', () => {
    const notes = exactNotes({ ...OWN, left: 4_000, unreadable: 1, cuts: 2, images: 3 })
    expect(notes[0]).toBe('Stopped after 13 entries; 4\u202f000 more were not counted.')
    expect(notes).toHaveLength(5)
  })

  it('compare an estimate with the count', () => {
    expect(deviationText(1_020, 1_000)).toMatch(/^\+2/)
    expect(deviationText(900, 1_000)).toMatch(/^−10/)
    expect(deviationText(1_000, 1_000)).toMatch(/^0/)
    expect(deviationText(null, 1_000)).toBe('')
    expect(deviationText(3, 0)).toBe('')
  })
})
