import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { checkLines } from '../../testing/repair/check-lines'
import { TranscriptCheck } from './check'
import { emittedText } from './edit-line'
import { Notes } from './notes'

function conversation(): TranscriptBuilder {
  const t = new TranscriptBuilder()
  t.user('one')
  t.assistant('two')
  t.user('three')
  return t
}
const check = (text: string, cutAt?: number) => checkLines(text, 'late', cutAt)
const classes = (text: string) => check(text).findings.map(({ class: what, line }) => `${line} ${what}`)
const withLines = (...lines: string[]) => `${[...conversation().lines, ...lines].join('\n')}\n`

describe('M10 what a check says of a whole file', () => {
  it('empty: nothing is wrong, and a note says so', () => {
    for (const text of ['', '\n\n', '  \n'])
      expect(check(text)).toEqual({
        ...{ ok: true, kind: 'empty', findings: [], importable: 0 },
        notes: [{ class: 'empty-file', line: 1, count: 1, text: expect.stringContaining('empty') }],
        plan: { steps: [], lines: new Map(), carried: new Set() },
        entries: { before: 0, dropped: 0, after: 0 },
        refusals: { before: [], after: [] },
      })
  })

  it('without a header nothing is repaired, whatever else is wrong; the finding names the first line', () => {
    const [, ...rest] = conversation().lines
    const headless = check(`\n${rest.join('\n')}\n{"type":"mess`)
    expect(headless).toMatchObject({
      ...{ ok: false, kind: 'headless', plan: { steps: [] } },
      findings: [{ class: 'bad-header', line: 2, entryId: null, risk: 'high', fix: null }],
      entries: { before: 3, dropped: 0, after: 3 },
      refusals: { before: [], after: [] },
    })
    expect(check('\n\nbad\n').findings).toMatchObject([{ class: 'bad-header', line: 3 }])
    const dropped = check('\n{"type":"message","id":"x","message":{"role":null}}\n')
    expect(dropped).toMatchObject({ kind: 'headless', findings: [{ line: 2 }] })
  })

  it('of another program nothing is said but whose it is', () => {
    const text = '{"type":"summary","leafUuid":"u"}\nbad\n{"type":"message"}\n'
    expect(check(text)).toMatchObject({
      ...{ ok: true, kind: 'foreign', findings: [], plan: { steps: [] } },
      notes: [{ class: 'foreign-format', line: 1, count: 1, text: expect.stringContaining('Claude Code') }],
      entries: { before: 2, dropped: 0, after: 2 },
      form: 'claude-code',
    })
    expect(check(`{"type":"summary","leafUuid":"u"}\n${conversation().text()}`).kind).toBe('transcript')
    const traces = check('{"traceSchema":"run"}\n')
    expect(traces.kind).toBe('foreign')
    expect('form' in traces).toBe(false)
  })

  it('a header that is nested too deeply is none', () => {
    const deep = `{"type":"session","id":"s","version":3,"data":${'['.repeat(3000)}${']'.repeat(3000)}}`
    expect(check(`${deep}\n`)).toMatchObject({
      kind: 'headless',
      findings: [{ class: 'bad-header', line: 1 }],
    })
  })

  it('findings come in the order of lines, with the entry that they are about and their risk', () => {
    const { findings, ok } = check(
      withLines('{"type":"message","id":"x","parentId":"e3","message":{"role":"user","content":" "}}', 'bad'),
    )
    expect(ok).toBe(false)
    expect(findings).toMatchObject([
      {
        class: 'blank-user',
        line: 5,
        entryId: 'x',
        risk: 'medium',
        fix: expect.stringContaining('(continue)'),
      },
      { class: 'unparseable-line', line: 6, entryId: null, risk: 'high' },
    ])
  })
})

describe('M10 lines that cannot be read', () => {
  it.each([
    ['bad', 'unparseable-line'],
    ['7', 'not-an-entry'],
    ['"text"', 'not-an-entry'],
    ['{"a":1}', 'not-an-entry'],
  ])('%s is %s', (line, expected) => {
    expect(classes(withLines(line, '{"type":"custom","id":"c","parentId":"e3"}'))).toEqual([`5 ${expected}`])
  })

  it('the last one is torn where its end is missing, and only that one', () => {
    expect(classes(`${withLines()}{"type":"mess`)).toEqual(['5 torn-tail'])
    expect(classes(`${withLines('{"type":"mess')}`)).toEqual(['5 unparseable-line'])
    expect(classes(`${withLines()}7`)).toEqual(['5 torn-tail'])
  })

  it('of a last line of several parts the end is torn', () => {
    const entry = '{"type":"custom","id":"c","parentId":"e3"}'
    expect(classes(`${withLines()}${entry}{"type":"mess`)).toEqual([
      '5 joined-lines',
      '5 torn-tail',
      '5 no-final-newline',
    ])
    expect(classes(`${withLines()}{"type":"mess${entry}`)).toEqual([
      '5 torn-part',
      '5 joined-lines',
      '5 no-final-newline',
    ])
  })

  it('name what they were, so that what followed them goes on', () => {
    const torn = '{"type":"message","id":"t","parentId":"e3","mess'
    const { findings, plan } = check(withLines(torn, '{"type":"custom","id":"c","parentId":"t"}'))
    expect(findings).toMatchObject([{ class: 'unparseable-line', line: 5, entryId: 't' }])
    expect(findings[0]?.fix).toMatch(/the backup keeps it; what followed it goes on/)
    expect(plan.steps.map(({ kind, line }) => `${kind} ${line}`)).toEqual(['drop 5', 'change 6'])
    const nameless = check(withLines('bad'))
    expect(nameless.findings[0]?.fix).toMatch(/the backup keeps it$/)
  })

  it('name it also where entries are before them on their line', () => {
    const whole = '{"type":"custom","id":"c","parentId":"e3"}'
    const torn = '{"type":"message","id":"t","parentId":"c","mess'
    const { findings, plan } = check(
      withLines(`${whole}${torn}`, '{"type":"custom","id":"d","parentId":"t"}'),
    )
    expect(findings.map(({ class: what, entryId }) => `${what} ${entryId}`)).toEqual([
      'joined-lines c',
      'torn-part t',
    ])
    expect(plan.steps.at(-1)).toMatchObject({ kind: 'change', entryId: 'd', reason: 'goes on from c' })
  })

  it('a missing end of the last entry alone is put right, whatever else is', () => {
    expect(classes(withLines().trimEnd())).toEqual(['4 no-final-newline'])
    const unfit = '{"type":"message","id":"x","parentId":"e3","message":{"role":null}}'
    expect(classes(`${withLines()}${unfit}`)).toEqual(['5 no-role'])
    expect(check(withLines().trimEnd()).plan.lines).toEqual(
      new Map([[4, [{ kind: 'line', line: 4, edits: [] }]]]),
    )
  })
})

describe('M11 headers', () => {
  const header = '{"type":"session","version":3,"id":"other"}'
  it('the first sound one counts; it comes first, and others go', () => {
    const [first = '', ...rest] = conversation().lines
    const late = [rest[0], '{"type":"session","version":3}', first, rest[1], header, rest[2]].join('\n')
    const found = check(`${late}\n`)
    expect(found.findings.map(({ class: what, line }) => `${line} ${what}`)).toEqual([
      ...['2 second-header', '3 late-header', '5 second-header'],
    ])
    expect(found.plan.steps.map(({ kind, line }) => `${kind} ${line}`)).toEqual([
      'drop 2',
      'move 3',
      'drop 5',
    ])
  })
})

describe('repair before migration', () => {
  it('counts entries up to the first line that an import cannot read', () => {
    expect(check(withLines()).importable).toBe(4)
    expect(check(withLines('bad', '{"type":"custom","id":"c","parentId":"e3"}')).importable).toBe(4)
    expect(check(withLines('{}', '{"type":"custom","id":"c","parentId":"e3"}')).importable).toBe(4)
    const unfit = '{"type":"message","id":"x","parentId":"e3","message":{"role":null}}'
    expect(check(withLines(unfit, '{"type":"custom","id":"c","parentId":"e3"}')).importable).toBe(6)
    const stray = '\0{"type":"custom","id":"c","parentId":"e3"}'
    expect(check(withLines(stray, '{"type":"custom","id":"d","parentId":"c"}')).importable).toBe(4)
  })
})

describe('M10 lines that are only known by their skeleton', () => {
  it('are taken where they are whole, and left where they are not', () => {
    const whole = new TranscriptCheck()
    const lines = conversation().lines
    for (const [i, text] of lines.entries())
      expect(whole.addSkeleton({ line: i + 1, text, bytes: text.length, ended: true })).toBe(true)
    expect(whole.addSkeleton({ line: 9, text: '{"type"', bytes: 7, ended: false })).toBe(false)
    expect(whole.finish()).toEqual(check(conversation().text()))
    const unended = new TranscriptCheck()
    for (const [i, text] of lines.entries())
      unended.addSkeleton({ line: i + 1, text, bytes: text.length, ended: i < lines.length - 1 })
    expect(unended.finish().findings).toMatchObject([{ class: 'no-final-newline', line: 4 }])
  })
})

describe('X12 what providers would refuse of the file as it is', () => {
  const call = '{"type":"toolCall","id":"x","name":"ls","arguments":{}}'
  const calling = `{"type":"message","id":"b","parentId":"e3","message":{"role":"assistant","content":[${call}]}}`
  const later = JSON.stringify({ type: 'message', message: { role: 'user', content: 'on' } })
  const unfit = '{"type":"message","id":"c","parentId":"b","message":{"role":null}}'
  it.each([
    ['a line that is no entry', [calling, '{"a":1}']],
    ['that and a message that cannot stay', [calling, unfit, '{"a":1}']],
  ])('is seen through %s at the end', (_what, lines) => {
    const { before, after } = check(withLines(...lines)).refusals
    expect(before).toContainEqual(expect.objectContaining({ because: 'the tool call x has no result' }))
    expect(after).not.toContainEqual(expect.objectContaining({ because: 'the tool call x has no result' }))
  })

  it('follows the rules of a header that comes late', () => {
    const nameless = calling.replace('"id":"b","parentId":"e3",', '')
    const { before } = check(`${nameless}\n{"type":"session","id":"s","version":1}\n${later}\n`).refusals
    expect(before).toContainEqual(expect.objectContaining({ because: 'the tool call x has no result' }))
  })
})

describe('M14 notes', () => {
  it('are reported once, with their first line and how often', () => {
    const notes = new Notes()
    notes.ofLine('a\r', 3)
    notes.ofLine('b', 4)
    notes.ofLine('c\r', 5)
    notes.ofLine(String.raw`"\ud83d"`, 6)
    expect(notes.list()).toEqual([
      { class: 'carriage-returns', line: 3, count: 2, text: expect.any(String) },
      { class: 'lone-surrogate', line: 6, count: 1, text: expect.any(String) },
    ])
    notes.clear()
    expect(notes.list()).toEqual([])
  })

  it('say nothing of failed turns without calls, nor of what is no entry', () => {
    const t = conversation()
    t.assistant('failed', { stop: 'error' })
    t.raw('{"a":1}')
    expect(check(t.text()).notes).toEqual([])
  })

  it('of checkpoints that cannot be used say why', () => {
    const t = conversation()
    t.assistant('x', { fields: { providerReplay: 7 } })
    expect(check(t.text()).notes).toEqual([
      {
        class: 'unusable-checkpoint',
        line: 5,
        count: 1,
        text: expect.stringContaining('it is not an object'),
      },
    ])
  })
})

describe('what is written for an emission', () => {
  it('a line, a part of it, or what was made, with its changes', () => {
    const edits = [{ set: ['a'], value: '2' }]
    expect(emittedText({ kind: 'line', line: 1, edits }, '{"a":1}')).toBe('{"a":2}')
    expect(emittedText({ kind: 'line', line: 1, part: [3, 10], edits }, 'xxx{"a":1}yyy')).toBe('{"a":2}')
    expect(emittedText({ kind: 'made', text: '{"a":1}', edits }, 'ignored')).toBe('{"a":2}')
  })
})
