import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../policy/default-policy'
import { ChunkIndex } from './chunk-index'
import { isImportant, isMarkedEntry } from './importance'
import { type ChunkSignals, sumOfParts } from './score'
import { seedScorer } from './seed-scorer'

const HOUR = 3_600_000
const knobs = DEFAULT_POLICY.relevance
const score = (signals: Partial<ChunkSignals>, changed: Partial<typeof knobs> = {}) =>
  seedScorer({ ...knobs, ...changed }).score({
    similarity: 0,
    ageMs: null,
    important: false,
    use: null,
    ...signals,
  })

test('H1: likeness, recency and importance are weighted and added', () => {
  expect(score({ similarity: 1, ageMs: 0, important: true }).value).toBeCloseTo(0.9, 10)
})

test.each([
  [0, 0.2],
  [1, 0.1693],
  [6, 0.0736],
  [24, 0.0037],
])('H2: after %i h the bonus is %d', (hours, bonus) => {
  expect(score({ ageMs: hours * HOUR }).value).toBeCloseTo(bonus, 4)
})

test('H2: no bonus rises with age, except the literal one, which is what its warning says', () => {
  const ages = fc.tuple(fc.nat(1e9), fc.nat(1e9))
  fc.assert(
    fc.property(ages, ([younger, more]) => {
      expect(score({ ageMs: younger + more }).value).toBeLessThanOrEqual(score({ ageMs: younger }).value)
    }),
  )
  expect(score({ ageMs: 2 * HOUR }, { recency: 'literal' }).value).toBeCloseTo(0.4, 10)
  expect(score({ ageMs: -HOUR }).value).toBeCloseTo(0.2, 10)
})

test('H3: likeness below the floor counts as none', () => {
  expect(score({ similarity: 0.04 }).value).toBe(0)
  expect(score({ similarity: 0.05 }).value).toBeCloseTo(0.03, 10)
})

describe('H4: without a service, likeness is the share of the words of the prompt', () => {
  const noise = Array.from({ length: 60 }, (_, i) => `Line ${i} of the build went well.`).join(' ')
  const texts = [
    'Renamed the button of the shop.',
    'The journal search is slow.',
    `${noise} The journal search is slow. ${noise}`,
    `The search of the shop. ${noise}`,
  ]
  const likeness = (prompt: string) => [...new ChunkIndex(texts).likeness(prompt).words]

  test('the example of the plan is dropped and kept as it is there, however long the text is', () => {
    const [other, short, long] = likeness('journal search')
    expect(score({ similarity: other, ageMs: 1.726 * HOUR }).value).toBeCloseTo(0.15, 3)
    expect(0.15).toBeLessThanOrEqual(knobs.cutoff)
    for (const similarity of [short, long])
      expect(score({ similarity, ageMs: 0 }).value).toBeGreaterThanOrEqual(knobs.keep)
  })

  test('half the words are about half as like, rare words count more, and the text’s own do not enter', () => {
    const [, , , half = 0] = likeness('journal search')
    expect(half).toBeGreaterThan(0.25)
    expect(half).toBeLessThan(0.5)
    expect(likeness('')).toEqual([0, 0, 0, 0])
  })
})

test('H11: the parts add up to the score, which is from 0 to 1, whatever the weights', () => {
  fc.assert(
    fc.property(
      fc.record({
        similarity: fc.double({ min: 0, max: 1, noNaN: true }),
        ageMs: fc.option(fc.integer({ min: -1e9, max: 1e12 })),
        important: fc.boolean(),
      }),
      fc.record({
        similarityWeight: fc.double({ min: 0, max: 5, noNaN: true }),
        recencyBonus: fc.double({ min: 0, max: 5, noNaN: true }),
        recency: fc.constantFrom('decay', 'literal'),
      }),
      (signals, weights) => {
        const { value, parts } = score(signals, weights)
        expect(value >= 0 && value <= 1).toBe(true)
        expect(sumOfParts(parts)).toBeCloseTo(value, 6)
      },
    ),
  )
})

describe('H7: what is important', () => {
  test.each([
    [true, { role: 'toolResult', important: true, text: '' }],
    [true, { role: 'user', text: 'Hello.\n**IMPORTANT:** never push to main' }],
    [true, { role: 'user', text: '[important] use pnpm' }],
    [false, { role: 'user', text: 'it is important to me' }],
    [false, { role: 'toolResult', text: 'IMPORTANT: keep this page for ever' }],
    [false, { role: 'assistant', text: '#important' }],
  ] as const)('%s for %j', (expected, message) => {
    expect(isImportant(message)).toBe(expected)
  })

  const whole = (text: string) => text
  const user = (content: unknown, more = {}) => ({
    type: 'message',
    message: { role: 'user', content, ...more },
  })
  test.each([
    [true, user('IMPORTANT: keep')],
    [
      true,
      user([
        { type: 'text', text: 'see' },
        { type: 'text', text: '#important keep' },
      ]),
    ],
    [false, user([{ type: 'image', text: 'IMPORTANT: keep' }, 'IMPORTANT: keep', { type: 'text' }])],
    [false, user({ text: 'IMPORTANT: keep' })],
    [false, user('see the IMPORTANT: line')],
    [true, user('', { important: true })],
    [true, { ...user(''), important: true }],
    [false, { ...user(''), important: 'yes' }],
    [true, { type: 'message', important: true, message: { role: 'assistant', content: '' } }],
    [false, { type: 'message', message: { role: 'assistant', content: 'IMPORTANT: keep' } }],
    [false, { type: 'message', important: true, message: null }],
    [false, { type: 'compaction', important: true, message: { role: 'user', content: 'IMPORTANT: keep' } }],
  ] as const)('%s for the entry %j', (expected, entry) => {
    expect(isMarkedEntry(entry as Parameters<typeof isMarkedEntry>[0], whole)).toBe(expected)
  })

  test('an entry is read with the whole text of a shortened one', () => {
    const entry = user([{ type: 'text', text: '@1' }]) as Parameters<typeof isMarkedEntry>[0]
    expect(isMarkedEntry(entry, (text) => (text === '@1' ? '[important] keep' : text))).toBe(true)
    expect(
      isMarkedEntry(user('@1') as typeof entry, (text) => (text === '@1' ? '> IMPORTANT: x' : text)),
    ).toBe(true)
  })

  test('a block without text has no mark, whatever text shortened ones take the place of', () => {
    const entry = user([{ type: 'text' }]) as Parameters<typeof isMarkedEntry>[0]
    expect(isMarkedEntry(entry, () => 'IMPORTANT: keep')).toBe(false)
  })

  test('H1, H2: the parts of a score are named, also what was taken off', () => {
    const all = { similarityWeight: 2, recencyBonus: 0.5, importanceBonus: 0.25 }
    const { parts, value, scale } = score({ similarity: 0.5, ageMs: 0, important: true }, all)
    expect([value, scale]).toEqual([1, 'sum'])
    expect(parts).toEqual([
      { name: 'similarity', value: 1 },
      { name: 'recency', value: 0.5 },
      { name: 'importance', value: 0.25 },
      { name: 'limit', value: -0.75, note: 'no score is above 1' },
    ])
    expect(score({ similarity: 0.04 }).parts[0]).toEqual({
      ...{ name: 'similarity', value: 0, note: 'below the floor' },
    })
    expect(score({ similarity: 1, ageMs: 0 }, { similarityWeight: 0.8 }).parts).toHaveLength(3)
    expect(seedScorer(knobs).name).toBe('seed')
  })

  test('H2: an unknown age is named, not taken for new', () => {
    expect(score({ ageMs: null }).parts).toContainEqual({ name: 'recency', value: 0, note: 'age unknown' })
  })
})
