import { describe, expect, it, test } from 'vitest'
import { DEFAULT_POLICY } from '../default-policy'
import { faultOf } from '../fault-of'
import { joinPath } from '../path'
import { valueAt } from '../resolve'
import type { Knob, KnobUnit } from './knob'
import { knobAt, knobPaths } from './knob-at'
import { knobSchema } from './knob-schema'
import { allowedAt, knobWords } from './knob-words'
import { POLICY_KNOBS } from './policy-knobs'
import { PRUNING_KNOBS } from './pruning'
import { WINDOW_KNOBS } from './window'

/** What a default looks like, by its unit. */
const LOOKS: { readonly [U in KnobUnit]: string } = {
  share: 'number',
  tokens: 'number',
  chars: 'number',
  ms: 'number',
  seconds: 'number',
  hours: 'number',
  days: 'number',
  turns: 'number',
  count: 'number',
  factor: 'number',
  text: 'string',
  switch: 'boolean',
  choice: 'string',
}

function singlePaths(node: unknown, keys: readonly string[] = []): string[] {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return [joinPath(keys)]
  return Object.entries(node).flatMap(([key, value]) => singlePaths(value, [...keys, key]))
}

describe('X8 the table of knobs', () => {
  test.each(knobPaths())('%s has words, a unit and a default that it allows', (path) => {
    const knob = knobAt(path)
    expect(knob?.label).toMatch(/\S/)
    expect(knob?.about).toMatch(/^\S.*\.$/)
    if (path.includes('*')) {
      expect(knob?.initial).toBeNull()
      return
    }
    expect(faultOf(path, knob?.initial)).toBeNull()
    expect(valueAt(DEFAULT_POLICY, path)).toEqual(knob?.initial)
    for (const value of [knob?.initial ?? []].flat())
      expect(typeof value).toBe(LOOKS[knob?.shape.unit ?? 'text'])
  })

  it('has every value of the default policy, and no other', () => {
    expect(knobPaths().filter((path) => !path.includes('*'))).toEqual(singlePaths(DEFAULT_POLICY))
  })

  it('gives each option words', () => {
    const choices = knobPaths().flatMap((path) => {
      const shape = knobAt(path)?.shape
      const of = shape?.kind === 'list' ? shape.of : shape
      return of?.kind === 'choice' ? [[path, of.options] as const] : []
    })
    expect(choices.length).toBeGreaterThan(4)
    for (const [path, options] of choices)
      for (const [option, words] of Object.entries(options)) expect(words, `${path} ${option}`).toMatch(/\S/)
  })

  it('has one label for one value of a section', () => {
    for (const section of Object.keys(POLICY_KNOBS.members)) {
      const labels = knobPaths(section).map((path) => knobWords(path).label)
      expect(new Set(labels).size, section).toBe(labels.length)
    }
  })

  it('calls the rows of tables by the names that the operator chose', () => {
    expect(knobWords('window.byModel.gpt-4\\.1').label).toBe('gpt-4.1')
    expect(knobWords('history.channels.telegram.groupTurns').label).toBe('telegram: groups')
    expect(knobWords('history.channels.a*b.users.$&')).toMatchObject({
      label: 'a*b: user $&',
      unit: 'turns',
    })
  })

  it('has a knob at the path of one value only', () => {
    expect(knobAt('lines.compact.at')?.label).toBe('Compact at')
    expect([knobAt('lines.compact'), knobAt('lines.nowhere'), knobAt('')]).toEqual([null, null, null])
    expect(knobWords('lines.nowhere')).toEqual({ label: 'lines.nowhere', about: '', unit: 'text' })
    expect(allowedAt('lines.compact.enabled')).toBe('true or false')
  })

  it('has the paths below a group, and none below what is not there', () => {
    expect(knobPaths('lines.compact')).toEqual(['lines.compact.enabled', 'lines.compact.at'])
    expect(knobPaths('lines.compact.at')).toEqual(['lines.compact.at'])
    expect(knobPaths('lines.nowhere')).toEqual([])
  })

  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ['window.default', [1, 1_000_000_000], [0, 1.5, 1_000_000_001, '1', null]],
    ['counting.safetyMargin', [1, 1.5, 1e12], [0.9]],
    ['relevance.recencyHours', [0.1], [0]],
    ['lines.compact.at', [0, 1], [-0.1, 1.1]],
    ['window.cap', [null, 0], [-1, 'none']],
    ['lines.compact.enabled', [true, false], [1, null]],
    ['compaction.mode', ['off'], ['on', null]],
    ['coldStorage.path', ['', 'x'.repeat(9000)], [1, null]],
    ['pruning.placeholder', ['x', 'x'.repeat(200)], ['', 'x'.repeat(201)]],
    ['pruning.keepTools', [[], ['x']], ['x', [1]]],
    ['flush.delivery', [['user']], [[], ['nobody']]],
  ])('allows at %s what is %j, and not %j', (path, good, bad) => {
    // A checker is made once for each knob; one for a copy of it is made here.
    const allows = (value: unknown) => knobSchema({ ...(knobAt(path) as Knob) }).safeParse(value).success
    expect(good.map(allows)).toEqual(good.map(() => true))
    expect(bad.map(allows)).toEqual(bad.map(() => false))
  })

  it('is checked group by group: every key must be there, and no other', () => {
    const names = { node: 'table', row: PRUNING_KNOBS.members.alwaysKeep } as const
    const node = { node: 'group', members: { size: WINDOW_KNOBS.members.default, names } } as const
    const allows = (value: unknown) => knobSchema(node).safeParse(value).success
    expect(allows({ size: 1, names: { a: ['b'] } })).toBe(true)
    expect(allows({ size: 1, names: { a: 'b' } })).toBe(false)
    expect(allows({ size: 1 })).toBe(false)
    expect(allows({ size: 1, names: {}, more: 1 })).toBe(false)
    expect(knobSchema(node)).toBe(knobSchema(node))
  })
})
