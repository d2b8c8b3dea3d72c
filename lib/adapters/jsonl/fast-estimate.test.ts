import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateUnits } from '../../core/tokens/estimate'
import { runs } from '../../testing/runs'
import { fastEstimate } from './fast-estimate'
import { textMachine, unitsOfWeights } from './text-machine'
import { LINE } from './text-machine-layout'

// Else it would start only after much more text than a test has.
textMachine(Number.POSITIVE_INFINITY)

function same(text: string): void {
  expect([text, fastEstimate(text)]).toEqual([text, estimateUnits(text)])
}

const pieces = fc.oneof(
  fc.string({ unit: 'binary-ascii', maxLength: 80 }),
  fc.stringMatching(/^[a-z]{1,40}$/),
  fc.stringMatching(/^[0-9]{1,60}$/),
  fc.constantFrom(
    '\n',
    '  ',
    '\\n',
    '{"a":',
    'camelCase',
    'http://x.y/z?q=1',
    '====',
    'ENOENT: no such file',
  ),
)

describe('the fast estimator', () => {
  it('gives the same units as the plain one, whatever the text', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => same(parts.join(''))),
      runs(500),
    )
  })

  it('gives the same units for texts beyond ASCII', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), same), runs(100))
    same(`${'plain text '.repeat(20)}é`)
    same('語'.repeat(200))
    same(`${'a'.repeat(2 ** 18 - 2)}éa`)
    same('\ud800'.repeat(100))
  })

  it('walks texts of any length from none on, wherever they are', () => {
    const machine = textMachine(0)
    if (machine === null) throw new Error('no machine')
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), fc.nat(40), (parts, place) => {
        const text = parts.join('')
        machine.bytes.write(text, LINE + place, 'latin1')
        const sum = machine.walk(LINE + place, LINE + place + text.length)
        expect(text === '' ? sum : unitsOfWeights(sum)).toBe(estimateUnits(text))
      }),
      runs(300),
    )
  })

  it('gives the same units around the lengths where it changes its way', () => {
    for (const length of [0, 1, 47, 48, 49, 95, 96, 97, 2 ** 18 - 1, 2 ** 18, 2 ** 18 + 1, 600_001]) {
      const text = 'The walrus and the carpenter, 1872; were walking close at hand. '.repeat(
        Math.ceil(length / 60),
      )
      expect([length, fastEstimate(text.slice(0, length))]).toEqual([
        length,
        estimateUnits(text.slice(0, length)),
      ])
    }
  })
})
