import { describe, expect, it } from 'vitest'
import { runtimeStoreWith } from '../../../testing/builders/runtime-policy'
import { NO_SUBJECT } from '../effective'
import { otherPoliciesAt, policyAt } from './policy-at'
import type { RuntimeStore } from './runtime-policy'

const rules = (store: Partial<RuntimeStore>, at: number | null, entryId: string | null = null) =>
  policyAt(runtimeStoreWith(store), NO_SUBJECT, { at, provider: null, entryId }).runtime.rules

const FEBRUARY = Date.UTC(2026, 1, 10)
const JULY = Date.UTC(2026, 6, 10)
const SEPTEMBER = Date.UTC(2026, 8, 10)
const nine = { era: 'sqlite', version: { value: '2026.9.6', from: 'x' } } as const

describe('X9 what a runtime did in the past', () => {
  it('is of the release of that time: a store that was updated since did otherwise before', () => {
    expect(rules(nine, SEPTEMBER)).toBe('2026.9')
    expect(rules(nine, JULY)).toBe('2026.7')
    expect(rules(nine, FEBRUARY)).toBe('2026.2')
    expect(rules(nine, null)).toBe('2026.9')
  })

  it('is of no later release than the one that is stated', () => {
    expect(rules({}, SEPTEMBER)).toBe('2026.2')
    expect(rules({ version: { value: '2026.7.1', from: 'x' } }, SEPTEMBER)).toBe('2026.7')
  })

  it('was in files where the entry has an id of files, whatever the store is now', () => {
    expect(rules(nine, SEPTEMBER, '27d237c4')).toBe('2026.7')
    expect(rules(nine, SEPTEMBER, '830b6481-be01-43de-ace5-f480b025d43f')).toBe('2026.9')
  })

  it('the version of today says nothing of entries that were written into files', () => {
    const then = (entryId: string) =>
      policyAt(runtimeStoreWith(nine), NO_SUBJECT, { at: SEPTEMBER, provider: null, entryId }).runtime
    expect(then('27d237c4').version).toBeNull()
    expect(then('27d237c4').assumed[0]).toMatch(/not stated; .* used last in 2026-09: the rules of 2026\.7/)
    expect(then('830b6481-be01-43de-ace5-f480b025d43f').version).toBe('2026.9.6')
  })

  it('can be held against every other release', () => {
    const then = { at: SEPTEMBER, provider: null, entryId: null }
    const others = otherPoliciesAt(runtimeStoreWith(nine), NO_SUBJECT, then)
    expect(others.map(({ runtime }) => runtime.rules)).toEqual(['2026.2', '2026.7'])
    expect(others.map(({ runtime }) => runtime.version)).toEqual(['2026.2.1', '2026.7.1'])
    const older = otherPoliciesAt(runtimeStoreWith(), NO_SUBJECT, { ...then, provider: 'openai' })
    expect(
      older.map(({ runtime: { rules, provider, assumed } }) => [rules, provider, assumed.length]),
    ).toEqual([
      ['2026.7', null, 0],
      ['2026.9', 'openai', 1],
    ])
    expect(otherPoliciesAt(runtimeStoreWith({ owner: 'pi' }), NO_SUBJECT, then)).toEqual([])
    const claude = otherPoliciesAt(runtimeStoreWith({ owner: 'claude-code' }), NO_SUBJECT, then)
    expect(claude.map(({ runtime: { client } }) => client?.kind === 'claude-code' && client.rules)).toEqual([
      ...['share', 'buffer', 'capped'],
    ])
  })
})
