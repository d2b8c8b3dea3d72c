import { describe, expect, it } from 'vitest'
import { addToSums, EMPTY_SUMS } from '../../tokens/context-sums'
import type { EntryFact } from '../entry'
import { anchorAt, EMPTY, enter, forModel, isOutside, repeatedEntry } from './fold-states'

const fact = (more: Partial<EntryFact> = {}): EntryFact => ({
  ...{
    seq: 7,
    line: 8,
    offset: 90,
    bytes: 12,
    type: 'message',
    role: 'user',
    id: 'e7',
    parentId: 'e6',
    at: 5,
  },
  units: { user: 30 },
  ...more,
})
const answer = (more: Partial<EntryFact> = {}) =>
  fact({
    ...{ role: 'assistant', provider: 'p', model: 'm', units: { assistant: 4, thinking: 8 } },
    usage: { input: 100, output: 12, cacheRead: 0, cacheWrite: 0, costUsd: null },
    ...more,
  })

describe('an entry without a place in the tree', () => {
  it.each<[Partial<EntryFact>, boolean]>([
    [{ type: 'session' }, true],
    [{ type: 'unreadable', id: null }, true],
    [{ type: 'unreadable' }, false],
    [{ id: null }, false],
  ])('%j: %s', (more, outside) => expect(isOutside(fact(more))).toBe(outside))
})

it('of an entry that its file holds once more its place and its beginning stay', () => {
  const place = { seq: 7, line: 8, offset: 90, bytes: 12, at: 5, id: null, parentId: null, side: true }
  const repeated = { ...place, type: 'custom', customType: 'repeated' }
  expect(repeatedEntry(answer({ calls: [], requestId: 'r' }))).toStrictEqual(repeated)
  expect(repeatedEntry(fact({ piece: 2, preview: 'Ships' }))).toStrictEqual({
    ...{ ...repeated, piece: 2, preview: 'Ships' },
  })
})

describe('a context with one more entry', () => {
  it('holds what that brings, and goes on from what was known of it', () => {
    const before = { ...EMPTY, overhead: 50, anchor: anchorAt(answer(), 100, EMPTY) }
    const after = enter(before, fact(), 'pi', false)
    expect(after).toEqual({ ...before, sums: addToSums(EMPTY_SUMS, fact()), send: after.send })
  })

  it('is the same where the entry is in no context', () => {
    for (const one of [
      fact({ type: 'custom' }),
      fact({ type: 'label' }),
      fact({ excluded: true, role: 'bashExecution' }),
    ])
      expect(enter(EMPTY, one, 'pi', false)).toBe(EMPTY)
  })

  it('holds the summary of a compaction, and an answer that is sent with the one before it', () => {
    const summary = fact({
      type: 'compaction',
      role: 'compactionSummary',
      units: { summary: 9 },
    })
    expect(enter(EMPTY, summary, 'pi', false).sums).toEqual(addToSums(EMPTY_SUMS, summary))
    const first = enter(EMPTY, answer(), 'openclaw', false)
    const [second, record] = [answer({ seq: 8 }), answer({ seq: 8, again: true, usage: null })]
    for (const one of [second, record])
      expect(enter(first, one, 'openclaw', false).sums).toEqual(addToSums(first.sums, one))
  })

  it('holds the reasoning of a turn of Codex until the next one', () => {
    const thought = enter(enter(EMPTY, fact(), 'codex', false), answer(), 'codex', false)
    const asked = (runtime: 'codex' | 'pi') => enter(thought, fact({ seq: 9 }), runtime, false).sums.known
    expect(asked('pi').reduce((a, b) => a + b)).toBe(12)
    expect(asked('codex').reduce((a, b) => a + b)).toBe(4)
    expect(enter(thought, answer({ seq: 9 }), 'codex', false).sums.known.reduce((a, b) => a + b)).toBe(24)
  })

  it('waits for no results of calls any more behind a turn that failed', () => {
    const called = enter(EMPTY, answer({ calls: [{ id: 'a', name: 'read' }] }), 'pi', false)
    const result = fact({ role: 'toolResult', resultFor: 'a' })
    const failed = enter(called, answer({ stopReason: 'error' }), 'pi', false)
    expect(failed.sums).toBe(called.sums)
    expect(enter(called, result, 'pi', false).sums.messages).toBe(2)
    expect(enter(failed, result, 'pi', false).sums.messages).toBe(1)
  })

  it('behind a reset holds conversation only', () => {
    const note = fact({ type: 'custom_message', role: 'custom' })
    expect(enter(EMPTY, note, 'openclaw', true)).toBe(EMPTY)
    expect(enter(EMPTY, note, 'openclaw', false).sums.messages).toBe(1)
  })
})

it('a report of another model says nothing of this one', () => {
  const state = { ...EMPTY, overhead: 50, anchor: anchorAt(answer(), 100, EMPTY) }
  expect(forModel(state, 'm')).toBe(state)
  expect(forModel(state, 'n')).toEqual({ ...state, anchor: null })
  expect(forModel(EMPTY, 'n')).toBe(EMPTY)
})

it('a report holds what was sent, and what its answer takes', () => {
  const before = enter(EMPTY, fact(), 'pi', false)
  const given = answer()
  expect(anchorAt(given, 100, before)).toEqual({
    ...{ seq: 7, provider: 'p', model: 'm', total: 100, output: 12, sums: before.sums, answer: given },
  })
  expect(anchorAt(fact(), 100, before)).toMatchObject({ provider: null, model: null, output: null })
})
