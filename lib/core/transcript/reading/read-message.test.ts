import { describe, expect, it } from 'vitest'
import { checkpointRecord } from '../../../testing/builders/checkpoint'
import { charsOverFour } from '../../tokens/estimate'
import type { EntryFact } from '../entry'
import type { JsonObject } from '../json'
import { fetchMark } from '../marks/fetch-marks'
import { RULE_CHARS, ruleMarks } from '../marks/rule-marks'
import { SUMMARY_CHARS, summaryMark } from '../marks/summary-marks'
import { FIRST_NUMBER, type LongTexts } from './long-texts'
import type { TextReading } from './read-content'
import { readLine, readTranslated } from './read-line'
import { SAID } from './translated'

const PLACE = { seq: 3, line: 4, offset: 100, bytes: 50 }
const READING: TextReading = { estimate: charsOverFour, longTexts: null, marks: true }
const RULE = 'Never push commits to the release branch without a review.'
const OTHER_RULE = 'Always run linter and formatter before every commit.'
const SUMMARY = 'The keel is laid in src/hull.ts. Never paint it.'

const read = (entry: JsonObject, reading: TextReading | null = READING): EntryFact =>
  readTranslated({ id: 'a', parentId: 'b', ...entry }, PLACE, reading).fact
const message = (inside: object, reading?: TextReading) => read({ type: 'message', message: inside }, reading)
const user = (content: unknown, reading?: TextReading) => message({ role: 'user', content }, reading).marks

describe('what findings compare a message by', () => {
  it('of a user are the rules in it, of each of its texts', () => {
    const rules = [...ruleMarks(RULE), ...ruleMarks(OTHER_RULE)]
    expect(rules).toHaveLength(2)
    expect(user(RULE)).toEqual({ rules: ruleMarks(RULE) })
    const image = { type: 'image', data: 'AA' }
    expect(user([{ type: 'text', text: RULE }, image, null, OTHER_RULE])).toEqual({ rules })
    expect(user('Paint the keel.')).toBeUndefined()
    expect(user(undefined)).toBeUndefined()
  })

  it('is asked for', () => {
    const { marks: _, ...plain } = READING
    expect(user(RULE, plain)).toBeUndefined()
    expect(message({ role: 'user', content: RULE }, { ...READING, marks: false }).marks).toBeUndefined()
    expect(read({ type: 'message', message: { role: 'user', content: RULE } }, null).marks).toBeUndefined()
    const line = JSON.stringify({ type: 'message', message: { role: 'user', content: RULE } })
    expect(readLine(line, PLACE, charsOverFour, { marks: true }).fact.marks).toEqual(user(RULE))
    expect(readLine(line, PLACE, charsOverFour).fact.marks).toBeUndefined()
  })

  it.each<[string, JsonObject]>([
    ['a compaction', { type: 'compaction', summary: SUMMARY }],
    [
      'the message of a compaction',
      { type: 'message', message: { role: 'compactionSummary', content: SUMMARY } },
    ],
    ['the message of a branch', { type: 'message', message: { role: 'branchSummary', content: SUMMARY } }],
    [
      'what another runtime says is one',
      { type: 'custom_message', content: SUMMARY, [SAID]: { category: 'summary' } },
    ],
  ])('of a summary is what it says: %s', (_name, entry) => {
    expect(read(entry).marks).toEqual({ summary: summaryMark(SUMMARY) })
  })

  it('of a summary in pieces is that of all of them, a line each', () => {
    const pieces = ['The keel is laid', 'in src/hull.ts.'].map((text) => ({ type: 'text', text }))
    expect(message({ role: 'compactionSummary', content: pieces }).marks).toEqual({
      summary: summaryMark('The keel is laid\nin src/hull.ts.'),
    })
  })

  it.each<[string, JsonObject]>([
    ['a compaction without a summary', { type: 'compaction' }],
    ['a branch that was left', { type: 'branch_summary', summary: SUMMARY }],
    ['a reset', { type: 'reset', summary: SUMMARY, reason: RULE }],
    ['what an extension wrote', { type: 'custom_message', content: RULE }],
    ['a result', { type: 'message', message: { role: 'toolResult', content: RULE } }],
    ['an answer', { type: 'message', message: { role: 'assistant', content: RULE } }],
  ])('is nothing of %s', (_name, entry) => {
    expect(read(entry).marks).toBeUndefined()
  })

  it('of an answer are its calls that fetch something', () => {
    const call = (id: string, name: string, input: object) => ({
      type: 'toolCall',
      id,
      name,
      arguments: input,
    })
    const path = { path: 'src/hull.ts' }
    const content = [
      call('c1', 'read', path),
      call('c2', 'speak', path),
      { type: 'toolCall', name: 'read', arguments: path },
    ]
    expect(message({ role: 'assistant', content }).marks).toEqual({
      fetches: [fetchMark('c1', 'read', path)],
    })
    expect(message({ role: 'assistant', content }, { ...READING, marks: false }).marks).toBeUndefined()
  })

  it('of a text that was taken out is its beginning', () => {
    const asked: [number, number][] = []
    const longTexts: LongTexts = {
      units: () => 5_000,
      length: () => 20_000,
      head: (index, length) => {
        asked.push([index, length])
        return RULE
      },
    }
    const standIn = `\u0001${String.fromCharCode(FIRST_NUMBER)}`
    expect(user(standIn, { ...READING, longTexts })).toEqual({ rules: ruleMarks(RULE) })
    expect(asked).toContainEqual([0, RULE_CHARS])
    expect(user(OTHER_RULE, { ...READING, longTexts })).toEqual({ rules: ruleMarks(OTHER_RULE) })
    const providerReplay = checkpointRecord({ data: standIn })
    const answer = message({ role: 'assistant', content: [], providerReplay }, { ...READING, longTexts })
    expect(answer.checkpoint).toMatchObject({ units: 5_000, chars: 20_000 })
    // Where none was taken out it is a text like any other.
    expect(user(standIn)).toBeUndefined()
  })

  it('of a summary is no more than its beginning', () => {
    const long = `${'The keel is laid. '.repeat(SUMMARY_CHARS / 18)}And the end.`
    expect(message({ role: 'compactionSummary', content: ['The bow.', long] }).marks).toEqual({
      summary: summaryMark(`The bow.\n${long.slice(0, SUMMARY_CHARS)}`),
    })
  })
})

describe('X1 what is odd about a message', () => {
  it('only results name a call, and only answers have calls', () => {
    const result = { toolCallId: 'c', toolName: 'exec', isError: true }
    const { resultFor, toolName, isError } = message({ role: 'user', content: 'x', ...result })
    expect([resultFor, toolName, isError]).toEqual([undefined, undefined, undefined])
    expect(message({ role: 'assistant', content: 'x' }).calls).toBeUndefined()
  })

  it('a type of an extension that is no text is none', () => {
    expect(message({ role: 'custom', customType: ['memory'], content: 'abcd' }).units).toEqual({ other: 1 })
  })

  it('rows for the reader are those of OpenClaw itself', () => {
    const row = { role: 'assistant', content: 'x', provider: 'anthropic', model: 'delivery-mirror' }
    expect(message(row).transcriptOnly).toBeUndefined()
    expect(message({ role: 'assistant', content: 'x', provider: 'openclaw' }).transcriptOnly).toBeUndefined()
  })

  it('is the checkpoint of a provider on one that is no answer, or that cannot be read', () => {
    const providerReplay = checkpointRecord()
    expect(message({ role: 'user', content: 'x', providerReplay }).problem).toContain('of role user')
    expect(message({ content: 'x', providerReplay }).problem).toContain('of role (none)')
    const broken = message({ role: 'assistant', content: [], providerReplay: checkpointRecord({ v: 2 }) })
    expect(broken).toMatchObject({
      problem: expect.stringContaining('version'),
      checkpoint: { kind: 'broken' },
    })
    expect(message({ role: 'assistant', content: [], providerReplay }).problem).toBeUndefined()
  })
})
