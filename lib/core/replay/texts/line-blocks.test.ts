import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateUnits } from '../../tokens/estimate'
import { BLOCK_UNITS, lineBlocks } from './line-blocks'

const anyText = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.constantFrom('x '.repeat(3_000), '漢'.repeat(900), '😀'.repeat(700)),
    ),
    {
      maxLength: 60,
    },
  )
  .map((lines) => lines.join('\n'))

describe('blocks of lines', () => {
  it('are the text when put together, none of them larger than a block may be', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const blocks = lineBlocks(text)
        expect(blocks.map(({ from, to }) => text.slice(from, to)).join('')).toBe(text)
        for (const { from, to, units } of blocks) {
          expect(units).toBeLessThanOrEqual(BLOCK_UNITS)
          expect(estimateUnits(text.slice(from, to))).toBeLessThanOrEqual(1.3 * BLOCK_UNITS)
          expect(
            text.charCodeAt(from) >>> 10 === 0x37 && from > 0 && text.charCodeAt(from - 1) >>> 10 === 0x36,
          ).toBe(false)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('end where lines end, as long as lines fit', () => {
    const text = Array.from({ length: 300 }, (_, i) => `${i}: a line of a listing`).join('\n')
    const blocks = lineBlocks(text)
    expect(blocks.length).toBeGreaterThan(2)
    for (const { to } of blocks.slice(0, -1)) expect(text[to - 1]).toBe('\n')
  })
})
