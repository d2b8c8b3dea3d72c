import { expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { DEFAULT_TUNE } from '../../core/replay/tune/tune-state'
import { beginTune } from '../../core/replay/tune/tuner'
import { progressOf, resumedState } from './tune-progress'

const ask = { ...DEFAULT_TUNE, base: DEFAULT_POLICY, current: 'in-force' }
const sessions = (calls: number) =>
  Array.from({ length: 4 }, (_, i) => ({
    ...{ transcriptId: `t${i}`, startedAt: i, calls, owner: `w${i}` },
  }))
const later = (calls = 30) => ({ ...beginTune(ask, sessions(calls)), stage: 'around' as const })
const kept = (value: unknown) => JSON.parse(JSON.stringify(value))

it('a tuning goes on where it was, of the same sessions, draft and prices', () => {
  const begun = beginTune(ask, sessions(30))
  const saved = kept(progressOf(later(), 'list 1'))
  expect(resumedState(begun, saved, 'list 1')).toEqual(later())
})

it('with anything else it begins', () => {
  const begun = beginTune(ask, sessions(30))
  expect(resumedState(begun, kept(progressOf(later(), 'list 1')), 'list 2')).toBe(begun)
  expect(resumedState(begun, kept(progressOf(later(31), 'list 1')), 'list 1')).toBe(begun)
  const other = { ...later(), ask: { ...ask, seed: 'other' } }
  expect(resumedState(begun, kept(progressOf(other, 'list 1')), 'list 1')).toBe(begun)
  for (const odd of [null, 7, {}, { version: 'x', state: null }, { state: later() }])
    expect(resumedState(begun, odd, 'list 1')).toBe(begun)
})
