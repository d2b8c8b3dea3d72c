import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '../../../testing/runs'
import { previewOf } from './read-content'

/** What `previewOf` says it does, said with regular expressions. */
function plainPreview(text: string): string {
  const line = text.slice(0, 320).replace(/\s+/g, ' ').trim()
  return line.length > 160 ? `${line.slice(0, 157)}...` : line
}

it('cuts nothing off a line of 160 characters', () => {
  expect(previewOf('x'.repeat(160))).toBe('x'.repeat(160))
  expect(previewOf('x'.repeat(161))).toBe(`${'x'.repeat(157)}...`)
})

it('looks on where what it began with may be cut at its ends', () => {
  const padded = `${' '.repeat(20)}${'x'.repeat(160)}${' '.repeat(20)}`
  expect(previewOf(padded)).toBe('x'.repeat(160))
  expect(previewOf(`${padded}y`)).toBe(`${'x'.repeat(157)}...`)
})

it('looks at no more than twice as many characters', () => {
  expect(previewOf(`${' '.repeat(319)}x`)).toBe('x')
  expect(previewOf(`${' '.repeat(320)}x`)).toBe('')
})

it('previews a text on one line, cut to 160 characters', () => {
  const space = fc.constantFrom(
    ' ',
    '  ',
    '\n',
    '\t',
    '\u00a0',
    '\u3000',
    '\ufeff',
    '\u0085',
    '\u2028',
    '\x1c',
  )
  const parts = fc.array(fc.oneof(space, fc.string({ maxLength: 12 })), { maxLength: 90 })
  fc.assert(
    fc.property(parts, (pieces) => {
      expect(previewOf(pieces.join(''))).toBe(plainPreview(pieces.join('')))
    }),
    runs(500),
  )
})
