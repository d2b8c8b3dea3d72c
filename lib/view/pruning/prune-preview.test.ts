import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { knobWords } from '../../core/policy/knobs/knob-words'
import { resolvePolicy, valueAt } from '../../core/policy/resolve'
import { prunePlan, rulesAlone } from '../../core/pruning/prune-plan'
import { PRUNE_RULE_NAMES } from '../../core/pruning/prune-rule-names'
import { PRUNE_RULES } from '../../core/pruning/prune-rules'
import { Prunable, prunableContext } from '../../testing/builders/prunable'
import { trialPolicy } from '../policy/policy-trial'
import { PRUNE_KNOBS, pruneKnobsSearch, RULE_SWITCHES, readPruneKnobs } from './prune-knobs'
import { prunePreviewView } from './prune-preview'

const LONG = 'berth 4 is free. '.repeat(50)

describe('preview of pruning', () => {
  const policy = resolvePolicy([
    { level: 'session', label: 's', patch: { pruning: { keepLastMessages: 2, keepRecentMs: 0 } } },
  ]).policy
  const messages = new Prunable()
    .user('a')
    .call('read', { path: 'a.ts' }, LONG)
    .call('write', { path: 'a.ts', content: LONG }, 'ok')
    .call('bash', { command: 'x' }, LONG, { isError: true })
    .call('read', { path: 'a.ts' }, LONG).messages
  const context = prunableContext(messages, policy)
  const preview = {
    context,
    alone: rulesAlone(context),
    chosen: ['superseded-writes', 'age'] as const,
    plan: prunePlan(context, ['superseded-writes', 'age']),
  }
  const { view, rows } = prunePreviewView({ call: 'next', calls: 4, errorPct: null, sent: [] }, preview)

  it('J1 J3 says of every text that rules could ask for what becomes of it, and one reason why', () => {
    expect(rows.map(({ what, tool, action, reason }) => [what, tool, action, reason])).toEqual([
      ['result', 'read', 'clear', 'older than tool results stay'],
      ['arguments', 'write', 'clear', 'the file was read later, as it is since'],
      ['result', 'write', 'keep', 'no rule asks for it'],
      ['result', 'bash', 'keep', 'of a kind that always stays'],
      ['result', 'read', 'keep', 'among the newest messages'],
    ])
  })

  it('adds up: what is freed together is what the rules free beside each other, and the rows', () => {
    const together = view.rules.reduce((sum, rule) => sum + (rule.together?.freed ?? 0), 0)
    expect(view.freed).toBe(together)
    expect(view.freed).toBe(rows.reduce((sum, { freed }) => sum + freed, 0))
    expect((view.before.value ?? 0) - (view.after.value ?? 0)).toBe(view.freed)
    expect(view.texts).toEqual({ keep: 3, trim: 0, clear: 2 })
    const alone = (rule: string) => view.rules.find((one) => one.rule === rule)
    expect(alone('duplicates')).toMatchObject({ chosen: false, together: null, alone: { texts: 1 } })
    expect(alone('cache-ttl')?.alone.idle).toMatch(/filled less than the trimming threshold/)
  })
})

describe('knobs of pruning', () => {
  it('each rule has the switch that decides whether it is on', () => {
    for (const rule of PRUNE_RULE_NAMES)
      for (const on of [true, false]) {
        const tried = trialPolicy(DEFAULT_POLICY, 'default', { [RULE_SWITCHES[rule]]: on })
        expect(PRUNE_RULES[rule].isOn(tried.pruning), rule).toBe(on)
      }
  })

  it('every knob is a value of the policy and has words', () => {
    for (const { path } of PRUNE_KNOBS) {
      expect(valueAt(DEFAULT_POLICY, path), path).toBeDefined()
      expect(knobWords(path).label, path).not.toBe('')
    }
  })

  it('come back from an address as they went in; what is not valid there is left out', () => {
    const knobs = {
      base: 'openclaw' as const,
      changes: { 'pruning.keepLastMessages': 4, 'pruning.cacheTtl.enabled': true },
      call: 7,
    }
    const search = new URLSearchParams(pruneKnobsSearch(knobs))
    expect(readPruneKnobs(Object.fromEntries(search))).toEqual(knobs)
    expect(pruneKnobsSearch({ base: 'effective', changes: {}, call: null })).toBe('')
    expect(
      readPruneKnobs({ 'pruning.keepLastMessages': '-1', 'pruning.byAge': 'perhaps', call: 'x', base: 'y' }),
    ).toEqual({ base: 'effective', changes: {}, call: null })
  })
})
