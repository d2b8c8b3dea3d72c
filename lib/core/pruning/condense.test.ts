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

describe('D20: which lines stay', () => {
  /** A token a character, so that bounds are exact. */
  const sizeOf = (text: string) => text.length
  const short = (text: string, target: number, locator = '') => condense(text, { target, sizeOf, locator })
  const note = (size: number) => `[shortened from ${size} tokens without a model]`

  test('a text of the target stays, one above it gets a note with its size and where to read it again', () => {
    const text = `first\n${'x'.repeat(200)}\nlast`
    expect(short(text, text.length)).toBe(text)
    expect(short(text, text.length - 1)).toBe(`${note(211)}\nfirst\n…\nlast`)
    expect(short(text, text.length - 1, 'in c7')).toBe(
      '[shortened from 211 tokens without a model; in c7]\nfirst\n…\nlast',
    )
  })

  test('the first and the last line first, then the lines beside them, then those with failures and names', () => {
    const filler = (count: number) =>
      Array.from({ length: count }, (_, i) => `plain words here ${'abcdefgh'[i]}`)
    const lines = (...middle: string[]) => ['first', ...filler(4), ...middle, ...filler(4), 'last'].join('\n')
    const kept = (text: string, target: number) => short(text, target).split('\n').slice(1)
    const failing = lines('the quay was not found')
    const size = note(failing.length).length
    // Room for both ends and one line more: 5 + 3, 4 + 3 and 22 + 3 characters, and two for breaks.
    expect(kept(failing, size + 2 + 8 + 7 + 25)).toEqual([
      'first',
      '…',
      'the quay was not found',
      '…',
      'last',
    ])
    expect(kept(failing, size + 2 + 8 + 7 + 24)).toEqual(['first', 'plain words here a', '…', 'last'])
    const named = lines('see src/quay/berth.ts', 'word after word after')
    expect(kept(named, note(named.length).length + 2 + 8 + 7 + 24)).toEqual([
      ...['first', 'plain words here a', '…', 'last'],
    ])
    // Two lines at each end are worth more than a name.
    expect(kept(named, note(named.length).length + 2 + 8 + 7 + 4 * 21 + 3)).toEqual([
      ...[
        'first',
        'plain words here a',
        'plain words here b',
        '…',
        'plain words here c',
        'plain words here d',
        'last',
      ],
    ])
    expect(kept(named, note(named.length).length + 2 + 8 + 7 + 4 * 21 + 24)).toEqual([
      ...['first', 'plain words here a', 'plain words here b', '…', 'see src/quay/berth.ts', '…'],
      ...['plain words here c', 'plain words here d', 'last'],
    ])
  })

  test('names in a short line are worth more than twice as many in a long one', () => {
    const long = `src/a.ts and src/b.ts ${'word '.repeat(70)}`.trim()
    const text = [
      'first',
      'w',
      'w',
      'w',
      'see src/quay.ts',
      'z '.repeat(99),
      long,
      'w',
      'w',
      'w',
      'last',
    ].join('\n')
    // Room for both ends, the four lines beside them, and the long line.
    const target = note(text.length).length + 2 + 8 + 7 + 4 * 4 + long.length + 3
    expect(target).toBeLessThan(text.length)
    expect(short(text, target)).toContain('src/quay.ts')
    expect(short(text, target)).not.toContain('src/b.ts')
  })

  test('two names in a line of some words are worth more than one in the shortest line', () => {
    const [one, two] = ['src/a.ts', 'src/b.ts src/c.ts and some words more']
    const text = ['first', 'w', 'w', 'w', one, 'z '.repeat(99), two, 'w', 'w', 'w', 'last'].join('\n')
    const target = note(text.length).length + 2 + 8 + 7 + 4 * 4 + two.length + 3
    expect(target).toBeLessThan(text.length)
    expect(short(text, target)).toContain(two)
    expect(short(text, target)).not.toContain(one)
  })

  test('blank lines and blanks at the end of a line are left out, marks are where something is missing', () => {
    const text = ['first  ', '', '  ', 'error: a', 'x'.repeat(300), 'last'].join('\n')
    expect(short(text, 100).split('\n').slice(1)).toEqual(['first', 'error: a', '…', 'last'])
  })

  test('of a long line its first 400 characters stay, with a mark', () => {
    const text = (length: number) =>
      ['first', `error ${'y'.repeat(length - 6)}`, 'z'.repeat(900), 'last'].join('\n')
    const kept = (length: number) => short(text(length), 700).split('\n')[2]
    expect(kept(400)).toBe(`error ${'y'.repeat(394)}`)
    expect(kept(401)).toBe(`error ${'y'.repeat(394)}…`)
  })

  test('of more than 4,000 lines both halves are looked at', () => {
    const numbered = (count: number) =>
      Array.from({ length: count }, (_, i) => (i === 2000 ? 'error here' : 'w'))
    expect(short(numbered(4000).join('\n'), 300)).toContain('error here')
    expect(short(numbered(4001).join('\n'), 300)).not.toContain('error here')
    const failing = (at: number) => Array.from({ length: 4001 }, (_, i) => (i === at ? 'error here' : 'w'))
    for (const at of [1999, 2001]) expect(short(failing(at).join('\n'), 300)).toContain('error here')
  })

  test('a mark is where the first line does not fit', () => {
    const text = ['x'.repeat(300), 'quay', 'berth', 'y'.repeat(300), 'last'].join('\n')
    expect(short(text, 100).split('\n').slice(1)).toEqual(['…', 'quay', 'berth', '…', 'last'])
  })

  test('where no line fits, the beginning of the text does; where not even that, the text stays', () => {
    const text = `  ${'abcdefgh'.repeat(100)}`
    const size = note(802).length
    expect(short(text, size + 12)).toBe(`${note(802)}\nabcdefghab`)
    expect(short(text, size + 2)).toBe('abcdefgh'.repeat(10).slice(0, size + 2))
    expect(short(text, 5)).toBe('abcde')
    expect(short(text, 0)).toBe(text)
    // No more of it than of any line: here there is room for 403 characters, and for a line of 401 with its marks none.
    expect(short(text.trim(), size + 2 + 403)).toBe(`${note(800)}\n${'abcdefgh'.repeat(50)}`)
  })
})
