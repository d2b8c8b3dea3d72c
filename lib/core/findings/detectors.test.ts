import { describe, expect, it } from 'vitest'
import { madeUpBase } from '../../testing/findings/bases'
import { confusionOf, LABEL_RULES } from '../../testing/findings/labelled'
import { Chance } from '../../testing/findings/talk'
import { DETECTORS } from './detectors'

const bases = [1, 2, 3].map((seed) => madeUpBase(new Chance(seed)))

describe('each detector finds what is planted, and is calm about what looks alike', () => {
  it('has cases for every detector', () => {
    expect(LABEL_RULES.map(({ kind }) => kind).sort()).toEqual(DETECTORS.map(({ kind }) => kind).sort())
  })

  it.each(LABEL_RULES.map((rule) => [rule.kind, rule] as const))('%s', (_, rule) => {
    expect(confusionOf(rule, bases, 6)).toEqual({ found: 6, missed: [], false: [], calm: 6 })
  })
})
