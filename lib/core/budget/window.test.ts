import { describe, expect, it } from 'vitest'
import { estimated, measured, UNKNOWN } from '../tokens/figure'
import { nextState } from './next-call'
import { NO_PROOF, type WindowHints, windowFor } from './window'

const listed = (provider: string | null, model: string | null) =>
  provider === 'maker' && model === 'm' ? 128_000 : null

describe('B7: the window of a call', () => {
  it('is what the index says, else the configuration, else the list, else assumed', () => {
    const hints = { index: { tokens: 64_000, model: 'm' }, catalogue: { m: 96_000 }, listed }
    const of = (given: Partial<WindowHints>, model = 'm', provider = 'maker') =>
      windowFor({ index: null, ...given }, model, NO_PROOF, provider)
    expect(of(hints)).toEqual({ tokens: 64_000, source: 'index' })
    expect(of({ catalogue: hints.catalogue, listed })).toEqual({ tokens: 96_000, source: 'catalogue' })
    expect(of({ listed })).toEqual({ tokens: 128_000, source: 'model' })
    expect(of({ listed }, 'm', 'another')).toEqual({ tokens: 200_000, source: 'default' })
    expect(of({ catalogue: {} }, 'constructor')).toEqual({ tokens: 200_000, source: 'default' })
  })

  it('passes over an index of another model, and over sizes of nothing', () => {
    const index = { tokens: 64_000, model: 'other' }
    const of = (given: Partial<WindowHints>, model: string | null) =>
      windowFor({ index: null, ...given }, model, NO_PROOF, 'maker').tokens
    expect(of({ index, listed }, 'm')).toBe(128_000)
    expect([of({ index, listed }, 'other'), of({ index, listed }, null)]).toEqual([64_000, 64_000])
    expect(of({ index: { tokens: 0, model: null }, listed }, 'm')).toBe(128_000)
    expect(of({ catalogue: { m: 0 }, listed }, 'm')).toBe(128_000)
    expect(of({ catalogue: { null: 5_000 }, listed }, null)).toBe(200_000)
  })

  it('is at least as large as a prompt that was reported', () => {
    const hints = { index: { tokens: 8_192, model: null } }
    expect(windowFor(hints, 'm', { accepted: 8_192, cut: null })).toEqual({ tokens: 8_192, source: 'index' })
    expect(windowFor(hints, 'm', { accepted: 8_193, cut: null })).toEqual({
      tokens: 8_193,
      source: 'observed',
      believed: { tokens: 8_192, source: 'index' },
    })
  })

  it('that was only assumed is refuted by a prompt that was reported', () => {
    expect(windowFor({ index: null }, 'm', { accepted: 200_001, cut: null })).toEqual({
      ...{ tokens: 200_001, source: 'observed' },
    })
  })

  it('is what the runtime reckons with, above the list and below the configuration', () => {
    const client = (model: string | null) => (model === 'm' ? 272_000 : null)
    const of = (model: string | null, catalogue = {}) =>
      windowFor({ index: null, catalogue, client, listed }, model, NO_PROOF, 'maker')
    expect(of('m')).toEqual({ tokens: 272_000, source: 'client' })
    expect(of('m', { m: 96_000 })).toEqual({ tokens: 96_000, source: 'catalogue' })
    expect(windowFor({ index: null, client: () => null, listed }, 'm', NO_PROOF, 'maker')).toEqual({
      ...{ tokens: 128_000, source: 'model' },
    })
    expect(of(null)).toEqual({ tokens: 200_000, source: 'default' })
  })

  it('is what the provider cuts prompts to, whatever was configured', () => {
    const hints = { index: { tokens: 131_072, model: null } }
    expect(windowFor(hints, 'm', { accepted: 4_096, cut: 4_096 })).toEqual({
      ...{ tokens: 4_096, source: 'cut' },
      believed: { tokens: 131_072, source: 'index' },
    })
  })
})

describe('B7: the next call', () => {
  it('fits, is past the line that acts, or will not fit', () => {
    expect(nextState(measured(99_999), 200_000, 100_000)).toBe('fits')
    expect(nextState(measured(100_000), 200_000, 100_000)).toBe('past-line')
    expect(nextState(estimated(200_000, 5), 200_000, 100_000)).toBe('past-line')
    expect(nextState(estimated(200_001, 5), 200_000, 100_000)).toBe('will-not-fit')
    expect(nextState(measured(150_000), 200_000, null)).toBe('fits')
    expect(nextState(UNKNOWN, 200_000, 100_000)).toBeNull()
  })
})
