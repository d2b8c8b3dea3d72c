import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { estimateUnits } from '../tokens/estimate'
import { condense } from './condense'

const options = { target: 500, sizeOf: estimateUnits, locator: 'chunk c7 in cold storage' }

describe('D20: shortened without a model', () => {
  const log = [
    '$ npm run build',
    ...Array.from({ length: 900 }, (_, i) => `compiled module number ${i} in some milliseconds`),
    'TypeError: cannot read src/wire/policy.ts:41',
    ...Array.from({ length: 900 }, (_, i) => `compiled further module number ${i} in some milliseconds`),
    'exit code 1',
  ].join('\n')

  test('first, last and telling lines stay, in their order, within the target', () => {
    const short = condense(log, options)
    expect(estimateUnits(short)).toBeLessThanOrEqual(500)
    const places = [
      'shortened from',
      'chunk c7',
      'npm run build',
      '…',
      'TypeError: cannot read src/wire/policy.ts:41',
      'exit code 1',
    ].map((part) => short.indexOf(part))
    expect(places.every((place) => place >= 0)).toBe(true)
    expect([...places].sort((a, b) => a - b)).toEqual(places)
    expect(condense(log, options)).toBe(short)
  })

  test('what fits is not touched', () => {
    expect(condense('short enough', options)).toBe('short enough')
  })

  test('one line without an end keeps its beginning', () => {
    const short = condense(`BEGIN ${'x y '.repeat(5000)}`, { ...options, target: 60 })
    expect(short).toContain('BEGIN')
    expect(estimateUnits(short)).toBeLessThanOrEqual(60)
  })

  test('D19: any text comes out within the target or unchanged, and never empty', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'B7', ' ', '\n', '/x/y.ts', 'error ', '漢'),
      maxLength: 3000,
    })
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 200 }), (one, target) => {
        const short = condense(one, { ...options, target })
        expect(short === one || estimateUnits(short) <= target).toBe(true)
        expect(short.trim() === '' && one.trim() !== '').toBe(false)
      }),
    )
  })
})
