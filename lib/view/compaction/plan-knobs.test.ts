import { describe, expect, it } from 'vitest'
import { knobValue, PLAN_KNOBS, planKey, planKnobsSearch, planKnobWords, readPlanKnobs } from './plan-knobs'

const read = (search: string) => readPlanKnobs(Object.fromEntries(new URLSearchParams(search)))

describe('D28 the knobs of a plan in the address', () => {
  it('come back as they were written, defaults left out', () => {
    const knobs = {
      base: 'proactive',
      changes: {
        'compaction.keepRecentTokens': 12_000,
        'summary.rolling.enabled': true,
        'compaction.mode': 'default',
        'history.maxShare': 0.35,
      },
      digest: true,
      call: 7,
      focus: 'build numbers & paths',
    } as const
    const search = planKnobsSearch(knobs)
    expect(read(search)).toEqual(knobs)
    expect(search).toContain('compaction.keepRecentTokens=12000')
    expect(planKnobsSearch(read(''))).toBe('')
  })

  it('leaves out what is not valid there, and what is no knob', () => {
    const knobs = read(
      '?base=nothing&compaction.keepRecentTokens=-5&compaction.mode=wild&history.maxShare=2&summary.model=x/y&call=0',
    )
    expect(knobs).toEqual({ base: 'effective', changes: {}, digest: false, call: null, focus: '' })
  })

  it('bounds the focus; a plan depends on whether there is one', () => {
    const knobs = read(`?focus=${'a'.repeat(9_000)}&call=3`)
    expect(knobs.focus).toHaveLength(500)
    expect(planKey(knobs)).toBe('?call=3&focus=*')
  })

  it('reads numbers, switches and words', () => {
    expect(['0.5', '20000', 'true', 'false', 'safeguard', '1e9'].map(knobValue)).toEqual([
      0.5,
      20_000,
      true,
      false,
      'safeguard',
      '1e9',
    ])
  })

  it('has words for each knob', () => {
    for (const knob of PLAN_KNOBS) {
      const { label, about } = planKnobWords(knob)
      expect(label.length, knob.path).toBeGreaterThan(3)
      expect(about.length, knob.path).toBeGreaterThan(10)
    }
  })
})
