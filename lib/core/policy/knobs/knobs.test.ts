import { describe, expect, it, test } from 'vitest'
import { DEFAULT_POLICY } from '../default-policy'
import { faultOf } from '../fault-of'
import { joinPath } from '../path'
import { valueAt } from '../resolve'
import type { KnobUnit } from './knob'
import { knobAt, knobPaths } from './knob-at'
import { knobWords } from './knob-words'
import { POLICY_KNOBS } from './policy-knobs'

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
})
