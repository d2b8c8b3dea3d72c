import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../testing/runs'
import { scanObject } from './json-scan'

const json = fc.object({
  maxDepth: 3,
  maxKeys: 4,
  withNullPrototype: false,
  values: [fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.integer()],
})
const space = fc.constantFrom('', ' ', '\n', '\t', '\r', ' \r\n\t ')

/** Where the first object ends, found the slow way; null when no beginning of the text is one. */
function firstEnd(text: string): number | null {
  for (let to = 1; to <= text.length; to++) {
    if (text[to - 1] !== '}') continue
    try {
      JSON.parse(text.slice(0, to))
      return to
    } catch {
      // A longer one may be.
    }
  }
  return null
}

describe('the scan of one object', () => {
  it('ends where the object ends, however it is spaced and whatever follows', () => {
    fc.assert(
      fc.property(json, fc.constantFrom('', '{', '}', ' x', ',{}'), fc.nat(4), (value, rest, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(scanObject(`${text}${rest}`, 0)).toEqual({ kind: 'whole', to: text.length })
        expect(scanObject(`##${text}${rest}`, 2)).toEqual({ kind: 'whole', to: text.length + 2 })
      }),
    )
  })

  it('agrees with the JSON of the language on texts that lost, gained or changed a character', () => {
    fc.assert(
      fc.property(
        json,
        fc.nat(),
        fc.constantFrom(
          '',
          '"',
          '{',
          '}',
          '[',
          ']',
          ',',
          ':',
          '\\',
          '0',
          '-',
          '.',
          'e',
          't',
          '\u0001',
          '\n',
          ' ',
        ),
        fc.nat(1),
        (value, place, sign, cut) => {
          const whole = JSON.stringify(value)
          const at = place % whole.length
          const text = whole.slice(0, at) + sign + whole.slice(at + cut)
          if (!text.startsWith('{')) return
          const scan = scanObject(text, 0)
          expect(scan.kind === 'whole' ? scan.to : null).toBe(firstEnd(text))
        },
      ),
      runs(300),
    )
  })

  it('says where an object is torn, and what ended right before', () => {
    const torn = (text: string) => {
      const scan = scanObject(text, 0)
      return scan.kind === 'torn'
        ? [scan.at, scan.before === null ? null : text.slice(scan.before.from, scan.before.to)]
        : scan
    }
    expect(torn('{"a":{"b":1} {"c":2}}')).toEqual([13, '{"b":1}'])
    expect(torn('{"a":[1,2]"b":1}')).toEqual([10, '[1,2]'])
    expect(torn('{"a":{"b":1}, {"c":2}}')).toEqual([14, null])
    expect(torn('{"a":1')).toEqual([6, null])
    expect(torn('{"a":"b')).toEqual([7, null])
    expect(torn('{"a":"b\\x"}')).toEqual([7, null])
    expect(torn('{"a":"b\\u12G4"}')).toEqual([7, null])
    expect(torn('{"a":"\\u12aF\\n\\/"}')).toEqual({ kind: 'whole', to: 18 })
    expect(torn('{"a":01}')).toEqual([6, null])
    expect(torn('{"a":-}')).toEqual([5, null])
    expect(torn('{"a":1.5e+3,"b":-0.1E2}')).toEqual({ kind: 'whole', to: 23 })
    expect(torn('{"a":nul}')).toEqual([5, null])
    expect(torn('{,}')).toEqual([1, null])
    expect(torn('{"a":1,}')).toEqual([7, null])
    expect(torn('{"a":[1,]}')).toEqual([8, null])
    expect(torn('{"a":[}')).toEqual([6, null])
    expect(torn('{"a":{]}')).toEqual([6, null])
    expect(torn('{"a":[],"b":{}}')).toEqual({ kind: 'whole', to: 15 })
    expect(torn('{"a" 1}')).toEqual([5, null])
    expect(torn('{a:1}')).toEqual([1, null])
    expect(torn('')).toEqual([0, null])
    expect(torn('x{}')).toEqual([0, null])
  })

  it('passes over white space of JSON and no other', () => {
    fc.assert(
      fc.property(space, space, space, space, (a, b, c, d) => {
        const text = `{${a}"k"${b}:${c}[${d}1${a},${b}null${c}]${d}}`
        expect(scanObject(text, 0)).toEqual({ kind: 'whole', to: text.length })
      }),
    )
    expect(scanObject('{\u00a0}', 0).kind).toBe('torn')
    expect(scanObject('{\f}', 0).kind).toBe('torn')
  })
})
