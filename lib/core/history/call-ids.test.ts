import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALPHANUMERIC_IDS, NINE_IDS, renameCalls, STRICT_IDS } from './call-ids'

const calls = (...ids: string[]) => ids.map((id) => ({ role: 'assistant', calls: [{ id }] }))

describe('ids of tool calls', () => {
  it('C12 leaves ids alone that a provider takes', () => {
    expect(renameCalls(calls('toolu_01-A', 'x'), STRICT_IDS).size).toBe(0)
    expect(renameCalls(calls('abc123DEF'), NINE_IDS).size).toBe(0)
  })

  it('C12 takes out what a provider refuses', () => {
    expect(renameCalls(calls('call|fc_1.2'), STRICT_IDS).get('call|fc_1.2')).toBe('callfc12')
    expect(renameCalls(calls('toolu_01'), ALPHANUMERIC_IDS).get('toolu_01')).toBe('toolu01')
    expect(renameCalls(calls('toolu_01'), NINE_IDS).get('toolu_01')).toMatch(/^[a-z0-9]{9}$/)
  })

  it('C12 takes an id as long as the rule allows, and renames one that only a result has', () => {
    expect(renameCalls(calls('a'.repeat(64)), STRICT_IDS).size).toBe(0)
    expect(renameCalls(calls('a'.repeat(65)), STRICT_IDS).size).toBe(1)
    const alone = renameCalls([{ role: 'toolResult', resultFor: 'call|1' }], STRICT_IDS)
    expect([...alone]).toEqual([['call|1', 'call1']])
  })

  it('C12 never makes two ids one', () => {
    const renamed = renameCalls(calls('a_b', 'a-b', 'ab', '', '💧'), ALPHANUMERIC_IDS)
    const all = ['ab', ...renamed.values()]
    expect(new Set(all).size).toBe(5)
    expect(renamed.has('ab')).toBe(false)
  })

  it('C12 fits the rule, leaves ids distinct, and has nothing to do the second time', () => {
    const rules = fc.constantFrom(STRICT_IDS, ALPHANUMERIC_IDS, NINE_IDS)
    fc.assert(
      fc.property(rules, fc.uniqueArray(fc.string({ maxLength: 80 }), { maxLength: 30 }), (rule, ids) => {
        const renamed = renameCalls(calls(...ids), rule)
        const after = ids.map((id) => renamed.get(id) ?? id)
        expect(new Set(after).size).toBe(ids.length)
        for (const id of after) {
          expect(id).toMatch(rule.allowed)
          expect(id.length).toBeLessThanOrEqual(rule.max)
          if (rule.length !== undefined) expect(id).toHaveLength(rule.length)
        }
        expect(renameCalls(calls(...after), rule).size).toBe(0)
      }),
    )
  })

  it('C12 an id gets the same new one whatever history is left', () => {
    const all = calls('one.1', 'two.2', 'three.3', 'four.4')
    for (const rule of [STRICT_IDS, ALPHANUMERIC_IDS, NINE_IDS]) {
      expect(renameCalls(all.slice(2), rule).get('four.4')).toBe(renameCalls(all, rule).get('four.4'))
    }
  })
})
