import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../transcript/json'
import type { RepairRules } from './content-flaws'
import type { DraftEntry } from './draft'
import { readRepairDraft } from './read-draft'
import { MISSING_RESULT_TEXT } from './synthetic-result'
import { isBetween, isFailed, isToolResult, pairResults } from './tool-frames'

let line = 0
function entry(raw: JsonObject): DraftEntry {
  line++
  return readRepairDraft(
    { id: `e${line}`, parentId: null, ...raw },
    { line },
    { bytes: 1, ordinal: line },
    'late',
    1,
  ).entry
}
const message = (fields: JsonObject) => entry({ type: 'message', message: fields })

const calls = (...ids: string[]) => stopped('toolUse', ...ids)
const stopped = (stopReason: string, ...ids: string[]) =>
  message({
    role: 'assistant',
    stopReason,
    content: ids.map((id) => ({ type: 'toolCall', id, name: 'ls', arguments: {} })),
  })
const says = () => message({ role: 'assistant', content: 'hm', stopReason: 'stop' })
const user = () => message({ role: 'user', content: 'hi' })
const result = (toolCallId: string | undefined, toolName = 'ls') =>
  message({ role: 'toolResult', toolCallId, toolName, content: [] })
const standIn = (toolCallId: string) =>
  message({ role: 'toolResult', toolCallId, isError: true, content: [{ text: MISSING_RESULT_TEXT }] })
const compaction = () => entry({ type: 'compaction', summary: 's' })
const mirror = () =>
  message({ role: 'assistant', provider: 'openclaw', model: 'delivery-mirror', content: 'sent' })

/**
 * What becomes of each entry of a path, by its place: `2→1` answers call number 1 of its answer; `orphan`; `duplicate`
 * with the place of the one that counts; `unnamed` with the call that it gets.
 */
function paired(path: readonly DraftEntry[], rules: RepairRules = 'late') {
  const { frames, verdicts } = pairResults(path, rules)
  const place = (entry: DraftEntry) => path.indexOf(entry)
  const slots = frames.flatMap(({ at, slots }) =>
    slots.map(({ id, result }) => `${at}${id}=${result === null ? '-' : place(result)}`),
  )
  const others = [...verdicts].map(([entry, verdict]) => {
    if (verdict.kind === 'duplicate') return `${place(entry)} duplicate of ${place(verdict.of)}`
    return verdict.kind === 'unnamed'
      ? `${place(entry)} unnamed ${verdict.slot.id}`
      : `${place(entry)} orphan`
  })
  return [...slots, ...others].join(', ')
}

describe('M12 M13 which result answers which call', () => {
  it.each<[string, () => DraftEntry[], string, string?]>([
    ['each in its answer', () => [calls('a', 'b'), result('b'), result('a')], '0a=2, 0b=1'],
    ['none', () => [calls('a'), user()], '0a=-'],
    ['behind a message of the user', () => [calls('a'), user(), result('a')], '0a=2'],
    ['behind a row for the reader', () => [calls('a'), mirror(), result('a')], '0a=2'],
    ['behind another answer', () => [calls('a'), says(), result('a')], '0a=2', '0a=-, 2 orphan'],
    ['before its call', () => [result('a'), calls('a')], '1a=0', '1a=-, 0 orphan'],
    [
      'behind the answer that follows, as only one call can be meant',
      () => [calls('a'), calls('b'), result('b'), result('a')],
      '0a=3, 1b=2',
      '0a=-, 1b=2, 3 orphan',
    ],
    [
      'to the open one of two calls of an id',
      () => [calls('a'), result('a'), calls('a'), calls('b'), result('b'), result('a')],
      '0a=1, 2a=5, 3b=4',
      '0a=1, 2a=-, 3b=4, 5 duplicate of 1',
    ],
    [
      'to neither of two open calls of an id, as either may be meant',
      () => [calls('a'), calls('a'), calls('b'), result('a')],
      '0a=-, 1a=-, 2b=-, 3 orphan',
    ],
    ['of no call', () => [calls('a'), result('a'), result('x')], '0a=1, 2 orphan'],
    ['of no call at all', () => [user(), result('x')], '1 orphan'],
    ['twice', () => [calls('a'), result('a'), result('a')], '0a=1, 2 duplicate of 1'],
    [
      'three times: the first one counts',
      () => [calls('a'), result('a'), result('a'), result('a')],
      '0a=1, 2 duplicate of 1, 3 duplicate of 1',
    ],
    [
      'where one only took its place',
      () => [calls('a'), standIn('a'), result('a')],
      '0a=2, 1 duplicate of 2',
      '0a=1, 2 duplicate of 1',
    ],
    [
      'a stand-in behind the real one, and a stand-in behind a stand-in, are second ones',
      () => [calls('a', 'b'), result('a'), standIn('a'), standIn('b'), standIn('b')],
      '0a=1, 0b=3, 2 duplicate of 1, 4 duplicate of 3',
    ],
    [
      'unnamed, of the only call',
      () => [calls('a'), result(undefined)],
      '0a=1, 1 unnamed a',
      '0a=-, 1 orphan',
    ],
    [
      'unnamed, behind another answer',
      () => [calls('a'), says(), result(undefined)],
      '0a=2, 2 unnamed a',
      '0a=-, 2 orphan',
    ],
    ['unnamed, of no tool', () => [calls('a'), result(undefined, '')], '0a=1, 1 unnamed a', '0a=-, 1 orphan'],
    ['unnamed, of another tool', () => [calls('a'), result(undefined, 'cat')], '0a=-, 1 orphan'],
    ['unnamed, of two calls', () => [calls('a', 'b'), result(undefined)], '0a=-, 0b=-, 1 orphan'],
    ['unnamed, behind the answer', () => [calls('a'), result('a'), result(undefined)], '0a=1, 2 orphan'],
    ['unnamed, without any call', () => [user(), result(undefined)], '1 orphan'],
    ['unnamed, of a turn that failed', () => [stopped('error', 'a'), result(undefined)], '0a=-, 1 orphan'],
  ])('%s', (_what, path, late, early = late) => {
    expect(paired(path())).toBe(late)
    expect(paired(path(), 'early')).toBe(early)
  })

  it('the calls carry their tool and their answer, and frames their place', () => {
    const path = [user(), calls('a')]
    const [frame] = pairResults(path, 'late').frames
    expect(frame).toMatchObject({ at: 1, failed: false, slots: [{ id: 'a', name: 'ls' }] })
    expect(frame?.by).toBe(path[1])
    expect(frame?.slots[0]?.by).toBe(path[1])
  })
})

describe('M14 turns that failed', () => {
  it.each(['error', 'aborted'])('%s: keep what they got, also twice, and lack nothing', (stop) => {
    const path = [stopped(stop, 'a'), result('a'), result('a')]
    expect(pairResults(path, 'late').frames[0]?.failed).toBe(true)
    expect(paired(path)).toBe('0a=1')
  })

  it('what comes back once they were summarised answers nothing', () => {
    const failed = () => [stopped('error', 'a'), compaction(), result('a')]
    expect(paired(failed())).toBe('0a=-, 2 orphan')
    expect(paired([stopped('error', 'a'), user(), result('a')])).toBe('0a=2')
    expect(paired([calls('a'), compaction(), result('a')]), 'a turn that did not fail').toBe('0a=2')
  })

  it.each([
    ['error', true],
    ['aborted', true],
    ['stop', false],
    ['toolUse', false],
  ])('%s is a failure: %s', (stop, expected) => {
    expect(isFailed(stopped(stop, 'a'))).toBe(expected)
  })
})

describe('what parts a call from its results', () => {
  const never = () => false
  it.each<[string, DraftEntry, boolean]>([
    ['a message', user(), true],
    ['an answer', says(), true],
    ['a row for the reader', mirror(), false],
    ['a command', message({ role: 'bashExecution', command: 'ls' }), true],
    ['a command left out', message({ role: 'bashExecution', excludeFromContext: true }), false],
    ['a custom message', entry({ type: 'custom_message', content: 'c' }), true],
    ['a branch summary', entry({ type: 'branch_summary', summary: 'x' }), true],
    ['a blank branch summary', entry({ type: 'branch_summary', summary: '' }), false],
    ['data of an extension', entry({ type: 'custom' }), false],
    ['a label', entry({ type: 'label' }), false],
    ['a compaction', compaction(), true],
    ['a reset', entry({ type: 'reset' }), true],
  ])('%s: %s', (_what, between, expected) => {
    expect(isBetween(between, never)).toBe(expected)
  })

  it('a boundary that keeps the call does not', () => {
    const boundary = compaction()
    expect(isBetween(boundary, (asked) => asked === boundary)).toBe(false)
  })

  it('only messages are results', () => {
    expect(isToolResult(result('a'))).toBe(true)
    expect(isToolResult(user())).toBe(false)
    expect(isToolResult(entry({ type: 'custom', role: 'toolResult' }))).toBe(false)
  })
})
