import { describe, expect, it } from 'vitest'
import { openClawRelease, openClawRulesAt, type ReleaseFacts } from './openclaw-release'

const JULY = Date.UTC(2026, 6, 1)
const release = (era: ReleaseFacts['era'], value: string | null, at: number | null = JULY) => {
  const version = value === null ? null : { value, from: 'openclaw.json' }
  const { rules, version: stated, assumed } = openClawRelease({ era, version, at })
  return { rules, stated, assumed: assumed.length, why: assumed.join() }
}

describe('X9 the rules of a release of OpenClaw', () => {
  it.each<[ReleaseFacts['era'], string, string, boolean]>([
    ['jsonl', '2026.2.26', '2026.2', true],
    ['jsonl', '2026.5.9', '2026.2', false],
    ['jsonl', '2026.6.1', '2026.7', true],
    ['jsonl', '2026.7.1', '2026.7', true],
    ['jsonl', 'v2026.7.1', '2026.7', true],
    ['jsonl', ' 2026.7 ', '2026.7', true],
    ['jsonl', '2026.7-beta.2', '2026.7', true],
    ['jsonl', '2026.07.1', '2026.7', true],
    ['jsonl', '2025.12.1', '2026.2', false],
    ['sqlite', '2026.8.1', '2026.9', true],
    ['sqlite', '2026.9.6', '2026.9', true],
    ['sqlite', '2026.10.2', '2026.9', false],
    ['sqlite', '2027.1.1', '2026.9', false],
    ['sqlite', '2026.7.1', '2026.9', false],
  ])('in %s, version %s: those of %s; known: %s', (era, value, rules, known) => {
    const found = release(era, value)
    expect([found.rules, found.stated, found.assumed === 0]).toEqual([rules, value, known])
  })

  it.each(['nightly', '2026', '26.7.1', '2026.7x', '2026.123.1', '', 'x2026.7.1'])(
    '%j is no version, and is said to be none',
    (value) => {
      const found = release('jsonl', value)
      expect([found.rules, found.stated]).toEqual(['2026.7', value])
      expect(found.why).toContain(JSON.stringify(value))
      expect(release('sqlite', value).rules).toBe('2026.9')
    },
  )

  it('a long text that is no version is quoted by its beginning', () => {
    expect(release('jsonl', 'x'.repeat(50)).why).toContain(`"${'x'.repeat(40)}"`)
  })

  it.each<[number | null, string, RegExp]>([
    [Date.UTC(2026, 4, 31, 23, 59, 59, 999), '2026.2', /used last in 2026-05: /],
    [Date.UTC(2026, 5, 1), '2026.7', /used last in 2026-06: /],
    [Date.UTC(2026, 9, 1), '2026.7', /used last in 2026-10: /],
    [null, '2026.7', /sessions in files/],
  ])('without a version, sessions in files that were used at %s are of %s', (at, rules, why) => {
    const found = release('jsonl', null, at)
    expect([found.rules, found.stated, found.assumed]).toEqual([rules, null, 1])
    expect(found.why).toMatch(why)
    expect(release('sqlite', null, at)).toMatchObject({ rules: '2026.9', stated: null, assumed: 1 })
  })

  it('sessions in files of a store that was updated since are of before, by the time of their use', () => {
    expect(release('jsonl', '2026.9.6', Date.UTC(2026, 1, 1)).rules).toBe('2026.2')
    expect(release('jsonl', '2026.9.6', Date.UTC(2026, 8, 1)).rules).toBe('2026.7')
    expect(release('jsonl', '2026.9.6', null).rules).toBe('2026.7')
  })

  it('at a moment are those of its month, in UTC; what is no date, or before all of them, is early', () => {
    const moments = [
      Date.UTC(2026, 4, 31, 23),
      Date.UTC(2026, 5, 1),
      Date.UTC(2026, 7, 1),
      Number.NaN,
      Date.UTC(-500),
    ]
    expect(moments.map(openClawRulesAt)).toEqual(['2026.2', '2026.7', '2026.9', '2026.2', '2026.2'])
    expect(openClawRulesAt(Date.UTC(2026, 6, 31, 23, 59))).toBe('2026.7')
  })
})
