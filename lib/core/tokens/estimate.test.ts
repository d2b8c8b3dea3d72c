import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../testing/builders/any-text'
import { charsOverFour, estimateUnits, IMAGE_UNITS, type TextEstimator } from './estimate'
import { estimatorTables, OFFSET_MASK, PUNCTUATION, WEIGHT_SHIFT } from './estimate-automaton'
import { STATE_WEIGHTS } from './estimate-weights'

const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 400 }),
  fc.string({ unit: fc.constantFrom(...'aeT0 _."\\\n\t{}漢か한яé🚀'), maxLength: 400 }),
)

describe('B1: the rule of thumb', () => {
  it.each([
    ['', 0],
    ['test', 1],
    ['a'.repeat(11), 3],
    ['a'.repeat(100), 25],
  ])('%j has %i', (input, expected) => {
    expect(charsOverFour(input)).toBe(expected)
  })

  it('charges an image what the runtimes charge', () => {
    expect(IMAGE_UNITS).toBe(charsOverFour('x'.repeat(4800)))
  })
})

describe('B9: counters have one shape', () => {
  it('lets a counter of the caller replace it', () => {
    const words: TextEstimator = (input) => input.split(' ').length
    const sizes = [charsOverFour, estimateUnits, words].map((count) => count('one two three'))
    expect(sizes).toEqual([4, 3, 3])
  })
})

describe('estimateUnits', () => {
  it('gives 0 for nothing and at least 1 for something', () => {
    expect(estimateUnits('')).toBe(0)
    expect(estimateUnits('\udc00')).toBe(1)
    fc.assert(
      fc.property(text, (input) => {
        const units = estimateUnits(input)
        expect(units).toBeGreaterThanOrEqual(input === '' ? 0 : 1)
        expect(Number.isInteger(units)).toBe(true)
      }),
    )
  })

  // Exact counts of o200k_base.
  it.each([
    ['prose', 'The quick brown fox jumps over the lazy dog, and nobody knows why it keeps doing that.', 19],
    ['code', 'export function sum(a: number, b: number): number {\n  return a + b\n}\n', 20],
    ['JSON', '{"id":"a1","parentId":null,"ok":true,"items":[1,2,3]}', 23],
    ['digits in threes', '1234567890 1234567890', 9],
    ['hexadecimal', 'd41d8cd98f00b204e9800998ecf8427e', 19],
    ['Chinese', '每次请求都会新建一个连接，但是没有正确关闭，所以过一段时间就会耗尽连接池。', 24],
    ['Japanese', '設定ファイルを変更してから、サーバーを再起動する必要があります。', 19],
    ['Russian', 'Нужно изменить файл настроек и перезапустить сервер.', 12],
    ['indented lines', '    if (x) {\n        return 1;\n    }\n', 13],
    ['a wide gap', `name${' '.repeat(60)}value`, 3],
  ])('comes near the exact count of %s', (_kind, input, exact) => {
    expect(Math.abs(estimateUnits(input) - exact)).toBeLessThanOrEqual(Math.max(2, exact * 0.25))
  })

  it('adds up: two texts together cost what they cost apart, within the token where they meet', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const together = estimateUnits(a + b)
        const apart = estimateUnits(a) + estimateUnits(b)
        expect(Math.abs(together - apart)).toBeLessThanOrEqual(6)
      }),
    )
  })

  it('never shrinks by more than a token when a text grows', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(estimateUnits(a + b)).toBeGreaterThanOrEqual(estimateUnits(a) - 1)
      }),
    )
  })

  it.each([
    ['one letter', 'a'],
    ['spaces', ' '],
    ['newlines', '\n'],
    ['equals signs', '='],
    ['Chinese', '漢'],
    ['half an emoji', '\ud83d'],
  ])('is linear on 3 MB of %s', (_kind, unit) => {
    const short = estimateUnits(unit.repeat(10_000))
    // A scan that is not linear would not end within the time that a test has.
    const long = estimateUnits(unit.repeat(3_000_000))
    expect(long / short).toBeGreaterThan(285)
    expect(long / short).toBeLessThan(315)
  })

  it('sums a text longer than one stretch without overflow', () => {
    const piece = '9'.repeat(3) + ' '.repeat(3)
    const repeats = 1 << 19
    expect(estimateUnits(piece.repeat(repeats)) / repeats).toBeCloseTo(
      estimateUnits(piece.repeat(1000)) / 1000,
      2,
    )
  })
})

describe('the automaton', () => {
  const { table, classes: classOfCode } = estimatorTables()

  it('leads from every state only to states, with weights that fit', () => {
    const classes = 8 + PUNCTUATION.length + 16
    for (const cell of table) {
      expect((cell & OFFSET_MASK) % classes).toBe(0)
      expect(cell & OFFSET_MASK).toBeLessThan(table.length)
      expect(cell >>> WEIGHT_SHIFT).toBeLessThanOrEqual(4 * 512)
    }
  })

  it('has a separate weight for every ASCII class in every state', () => {
    for (const [name, row] of STATE_WEIGHTS)
      expect(`${name} ${row.length}`).toBe(`${name} ${2 * (8 + PUNCTUATION.length)}`)
  })

  it('puts every printable character into the class of its kind', () => {
    const classOf = (char: string) => classOfCode[char.charCodeAt(0)]
    expect(classOf('a')).toBe(classOf('z'))
    expect(classOf('A')).not.toBe(classOf('a'))
    for (const char of PUNCTUATION.join('')) expect(classOf(char)).toBeGreaterThanOrEqual(8)
    expect(PUNCTUATION.join('').length).toBe(32)
  })
})
