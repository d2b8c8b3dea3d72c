import { describe, expect, it } from 'vitest'
import { checkpointRecord, openaiAnswer, suppressionRecord } from '../../testing/builders/checkpoint'
import { factsOf, TranscriptBuilder } from '../../testing/builders/transcript'
import { TranscriptCheck } from './check'
import { Draft } from './draft'
import { emittedText } from './edit-line'
import { editJson } from './json-edit'
import { dropStaleCheckpoints, linesWithoutCheckpoints } from './stale-checkpoints'

function checked(text: string) {
  const lines = text.split('\n').slice(0, -1)
  const check = new TranscriptCheck()
  lines.forEach((line, i) => {
    check.add({ line: i + 1, text: line, bytes: Buffer.byteLength(line), ended: true })
  })
  return { lines, ...check.finish() }
}

/** The text of a transcript after its repair. */
function repaired(text: string): string {
  const { lines, plan } = checked(text)
  const written = lines.flatMap((line, i) => {
    const emissions = plan.lines.get(i + 1)
    if (emissions === undefined) return [line]
    return emissions.map((one) => emittedText(one, one.kind === 'line' ? (lines[one.line - 1] ?? '') : ''))
  })
  return `${written.join('\n')}\n`
}

const recordsIn = (text: string) => factsOf(text).flatMap((fact) => (fact.checkpoint ? [fact.id] : []))

describe('B4 repair and checkpoints of the provider', () => {
  it('where nothing is there, none goes', () => {
    expect(dropStaleCheckpoints(new Draft())).toEqual([])
  })

  it('an answer without content that carries one is left alone, to the byte', () => {
    const t = new TranscriptBuilder()
    t.user('go')
    for (const stop of ['stop', 'error']) t.assistant('', { stop, ...openaiAnswer(checkpointRecord()) })
    t.user('on')
    expect(repaired(t.text())).toBe(t.text())
  })

  it('those at and behind the first change go, those before it and refusals stay', () => {
    const t = new TranscriptBuilder()
    t.user('go')
    t.assistant('one', openaiAnswer(checkpointRecord()))
    t.assistant('two', { calls: ['a'], ...openaiAnswer(checkpointRecord()) })
    t.user('the result of a is missing')
    t.assistant('three', openaiAnswer(checkpointRecord()))
    t.assistant('four', openaiAnswer(suppressionRecord()))
    const fixed = repaired(t.text())
    expect(fixed).toContain('toolResult')
    expect(recordsIn(fixed)).toEqual(['e2', 'e3', 'e6'])
    expect(repaired(fixed)).toBe(fixed)
  })

  it('one on a message that is changed itself goes', () => {
    const t = new TranscriptBuilder()
    t.user('go')
    const answer = openaiAnswer(checkpointRecord())
    const content = [{ type: 'text', text: 'a' }, 7]
    t.assistant('x', { ...answer, fields: { ...answer.fields, content } })
    expect(recordsIn(t.text())).toEqual(['e2'])
    expect(recordsIn(repaired(t.text()))).toEqual([])
  })

  it('the plan says so of each, behind what else happens to it', () => {
    const t = new TranscriptBuilder()
    const { fields } = openaiAnswer(checkpointRecord())
    t.user('go')
    t.assistant('', { fields: { ...fields, content: [{ type: 'text', text: 'a' }, 7] } })
    t.assistant('', { fields })
    expect(checked(t.text()).plan.steps.map(({ line, reason }) => [line, reason])).toEqual([
      [3, expect.stringMatching(/^the block goes; .*checkpoint goes/)],
      [4, expect.stringMatching(/^[^;]*checkpoint goes/)],
    ])
  })

  it('an entry that goes takes those behind it along; a line that is no entry takes none', () => {
    const t = new TranscriptBuilder()
    t.user('go')
    t.result('nobody-called', 'x')
    t.assistant('one', openaiAnswer(checkpointRecord()))
    expect(recordsIn(repaired(t.text()))).toEqual([])
    const torn = new TranscriptBuilder()
    torn.user('go')
    torn.raw('{"type":')
    torn.assistant('one', openaiAnswer(checkpointRecord()))
    expect(recordsIn(repaired(torn.text()))).toEqual(['e2'])
  })

  it('so does one that moves, and a copy that goes, though no line is changed', () => {
    const late = new TranscriptBuilder()
    late.user('go')
    late.assistant('one', { ...openaiAnswer(checkpointRecord()), over: { parentId: 'e3' } })
    late.user('on', { id: 'e3', parentId: 'e1' })
    late.assistant('two', { over: { parentId: 'e2' } })
    expect(recordsIn(late.text())).toEqual(['e2'])
    const moved = repaired(late.text())
    expect(factsOf(moved).map(({ id }) => id)).toEqual([null, 'e1', 'e3', 'e2', 'e4'])
    expect(recordsIn(moved)).toEqual([])
    const twice = new TranscriptBuilder()
    twice.user('go')
    twice.raw(twice.lines.at(-1) ?? '')
    twice.assistant('one', { ...openaiAnswer(checkpointRecord()), over: { parentId: 'e1' } })
    expect(recordsIn(twice.text())).toHaveLength(1)
    expect(recordsIn(repaired(twice.text()))).toEqual([])
  })

  it('other rewrites name the lines behind their change', () => {
    const t = new TranscriptBuilder()
    t.assistant('one', openaiAnswer(checkpointRecord()))
    t.assistant('two', openaiAnswer(suppressionRecord()))
    t.assistant('three', openaiAnswer(checkpointRecord({ data: 7 })))
    const [[line, emission] = [0, undefined], ...others] = linesWithoutCheckpoints(t.facts(), 2)
    expect([line, others]).toEqual([4, []])
    expect(emission).toMatchObject({ kind: 'line', line: 4 })
    expect(emission && recordsIn(`${t.lines[0]}\n${emittedText(emission, t.lines[3] ?? '')}\n`)).toEqual([])
    expect([...linesWithoutCheckpoints(t.facts(), 1).keys()]).toEqual([2, 4])
  })

  it('one that cannot be used is noted, and stays', () => {
    const t = new TranscriptBuilder()
    t.user('go')
    t.assistant('one', openaiAnswer(checkpointRecord({ data: 7 })))
    t.assistant('two', openaiAnswer(checkpointRecord()))
    t.message({ role: 'user', content: 'hi', providerReplay: checkpointRecord() })
    expect(repaired(t.text())).toBe(t.text())
    const check = new TranscriptCheck()
    t.lines.forEach((text, i) => {
      check.add({ line: i + 1, text, bytes: text.length, ended: true })
    })
    expect(check.finish().notes).toEqual([
      { class: 'unusable-checkpoint', line: 3, count: 2, text: expect.stringContaining('role user') },
    ])
  })

  it('a member is taken out wherever it is written, also twice', () => {
    const edit = (text: string) => editJson(text, [{ remove: ['m', 'p'] }])
    expect(edit('{"m":{"p":{"a":[1]},"b":2}}')).toBe('{"m":{"b":2}}')
    expect(edit('{"m":{"a":1 , "p" : "x" }}')).toBe('{"m":{"a":1  }}')
    expect(edit('{"m":{"p":1}}')).toBe('{"m":{}}')
    expect(edit('{"m":{"p":1,"a":2,"p":3}}')).toBe('{"m":{"a":2}}')
    expect(edit('{"m":[1]}')).toBe('{"m":[1]}')
  })
})
