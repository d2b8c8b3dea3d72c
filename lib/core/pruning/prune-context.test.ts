import { describe, expect, it } from 'vitest'
import { Prunable, readPrunable, START } from '../../testing/builders/prunable'
import type { Policy, PolicyPatch } from '../policy/policy'
import { resolvePolicy } from '../policy/resolve'
import { argumentGuard, pruneContext } from './prune-context'
import { pruneIndex } from './prune-index'

const BARE: PolicyPatch = {
  pruning: { keepLastMessages: 0, keepRecentMs: 0, toolResultsAfterMs: 0, alwaysKeep: [], keepTools: [] },
}
const policyWith = (patch: PolicyPatch): Policy =>
  resolvePolicy([BARE, patch].map((one, i) => ({ level: 'session' as const, label: `${i}`, patch: one })))
    .policy

/** A user, a call with its result (places 1 and 2), a user, a call with its result (4 and 5), an answer; a second apart. */
const messages = (first = 'read', second = 'read', isError = false) =>
  new Prunable()
    .user('a')
    .call(first, { path: 'a' }, 'x', { isError })
    .user('b')
    .call(second, { path: 'b' }, 'y')
    .says('done').messages

/** What guards each result, and then the arguments of each call. */
function guards(patch: PolicyPatch, given = readPrunable(messages()), now = START + 60_000) {
  const index = pruneIndex(given)
  const context = pruneContext(index, { policy: policyWith(patch), window: 1000, now, lastTouchAt: null })
  return {
    results: context.resultGuard.filter((_, at) => given[at]?.role === 'toolResult'),
    calls: index.pairs.map((pair) => argumentGuard(context, pair)),
  }
}

describe('what keeps texts from being pruned', () => {
  it('is nothing where no rule protects, and what is no result needs no guard of one', () => {
    expect(guards({})).toEqual({ results: [null, null], calls: [null, null] })
    const policy = policyWith({ pruning: { keepLastMessages: 99 } })
    const index = pruneIndex(readPrunable(messages()))
    expect(pruneContext(index, { policy, window: 1000, now: START, lastTouchAt: null }).resultGuard).toEqual([
      null,
      null,
      'messages',
      null,
      null,
      'messages',
      null,
    ])
  })

  it('J1 are the newest messages, exactly so many', () => {
    const of = (keepLastMessages: number) => guards({ pruning: { keepLastMessages } })
    expect(of(1)).toEqual({ results: [null, null], calls: [null, null] })
    expect(of(2)).toEqual({ results: [null, 'messages'], calls: [null, null] })
    expect(of(3)).toEqual({ results: [null, 'messages'], calls: [null, 'messages'] })
    expect(of(5)).toEqual({ results: ['messages', 'messages'], calls: [null, 'messages'] })
    expect(of(99)).toEqual({ results: ['messages', 'messages'], calls: ['messages', 'messages'] })
  })

  it('J2 J4 is youth: results have a separate time, arguments the general one, and no time protects no age', () => {
    // The results are 58 and 55 seconds old, the calls 59 and 56.
    const of = (toolResultsAfterMs: number, keepRecentMs: number) =>
      guards({ pruning: { toolResultsAfterMs, keepRecentMs } })
    expect(of(55_000, 56_000)).toEqual({ results: [null, null], calls: [null, null] })
    expect(of(55_001, 56_001)).toEqual({ results: [null, 'recent'], calls: [null, 'recent'] })
    expect(of(58_001, 0)).toEqual({ results: ['recent', 'recent'], calls: [null, null] })
    expect(of(0, 59_001)).toEqual({ results: [null, null], calls: ['recent', 'recent'] })
    const ageless = readPrunable(messages()).map((message) => ({ ...message, at: null }))
    // What is of no known time is not young, however long the time is.
    expect(guards({ pruning: { toolResultsAfterMs: 1e15, keepRecentMs: 1e15 } }, ageless)).toEqual({
      ...{ results: [null, null], calls: [null, null] },
    })
  })

  it('are the newest turns, where the policy divides the window', () => {
    const of = (recentTurns: number, enabled = true) =>
      guards({ budget: { enabled }, history: { recentTurns } })
    expect(of(1)).toEqual({ results: [null, 'turns'], calls: [null, 'turns'] })
    expect(of(2)).toEqual({ results: ['turns', 'turns'], calls: ['turns', 'turns'] })
    expect(of(9)).toEqual({ results: ['turns', 'turns'], calls: ['turns', 'turns'] })
    expect(of(0)).toEqual({ results: [null, null], calls: [null, null] })
    expect(of(9, false)).toEqual({ results: [null, null], calls: [null, null] })
    // Of fewer turns all is within, also what comes before the first message of the user.
    const cut = readPrunable(messages().slice(1))
    expect(guards({ budget: { enabled: true }, history: { recentTurns: 9 } }, cut)).toEqual({
      ...{ results: ['turns', 'turns'], calls: ['turns', 'turns'] },
    })
  })

  it('H7 is the mark that something is important', () => {
    const marked = readPrunable(messages()).map((message, at) => ({
      ...message,
      important: at === 2 || at === 4,
    }))
    expect(guards({}, marked)).toEqual({ results: ['important', null], calls: [null, 'important'] })
  })

  it('J3 is the kind: failures, and what tools that keep a plan return and are given', () => {
    const failed = readPrunable(messages('read', 'read', true))
    expect(guards({ pruning: { alwaysKeep: ['error'] } }, failed)).toEqual({
      results: ['kind', null],
      calls: [null, null],
    })
    expect(guards({ pruning: { alwaysKeep: ['plan'] } }, failed).results).toEqual([null, null])
    const plans = readPrunable(messages('todo_write'))
    expect(guards({ pruning: { alwaysKeep: ['plan'] } }, plans)).toEqual({
      results: ['kind', null],
      calls: ['kind', null],
    })
    expect(guards({ pruning: { alwaysKeep: ['error', 'human_input'] } }, plans)).toEqual({
      ...{ results: [null, null], calls: [null, null] },
    })
  })

  it('is the tool, where the policy names it; what a result does not say, its call does', () => {
    const named = { pruning: { keepTools: ['todo*', 'bash'] } }
    expect(guards(named, readPrunable(messages('todo_write', 'bash')))).toEqual({
      ...{ results: ['tool', 'tool'], calls: ['tool', 'tool'] },
    })
    expect(guards(named, readPrunable(messages('read', 'bash')))).toEqual({
      ...{ results: [null, 'tool'], calls: [null, 'tool'] },
    })
    const nameless = readPrunable(messages('bash', 'read')).map((message) => ({ ...message, toolName: '' }))
    expect(guards(named, nameless).results).toEqual(['tool', null])
    // The result's own word counts, where it has one.
    const renamed = readPrunable(messages('bash', 'read')).map((message, at) =>
      at === 2 ? { ...message, toolName: 'read' } : message,
    )
    expect(guards(named, renamed).results).toEqual([null, null])
  })

  it('of several reasons the first is given: the kind, the tool, the mark, the turn, the place, the age', () => {
    const all = (
      alwaysKeep: string[],
      keepTools: string[],
      recentTurns: number,
      keepLastMessages: number,
    ) => ({
      budget: { enabled: true },
      history: { recentTurns },
      pruning: { alwaysKeep, keepTools, keepLastMessages, toolResultsAfterMs: 1e9, keepRecentMs: 1e9 },
    })
    const given = (important: boolean) =>
      readPrunable(messages('todo_write', 'todo_write')).map((message) => ({ ...message, important }))
    const first = (patch: PolicyPatch, important: boolean) => {
      const { results, calls } = guards(patch, given(important))
      return [results[0], calls[0]]
    }
    expect(first(all(['plan'], ['todo*'], 9, 9), true)).toEqual(['kind', 'kind'])
    expect(first(all([], ['todo*'], 9, 9), true)).toEqual(['tool', 'tool'])
    expect(first(all([], [], 9, 9), true)).toEqual(['important', 'important'])
    expect(first(all([], [], 9, 9), false)).toEqual(['turns', 'turns'])
    expect(first(all([], [], 0, 9), false)).toEqual(['messages', 'messages'])
    expect(first(all([], [], 0, 0), false)).toEqual(['recent', 'recent'])
  })
})
