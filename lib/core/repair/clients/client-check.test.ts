import { describe, expect, it } from 'vitest'
import { CodexBuilder } from '../../../testing/builders/foreign-lines'
import { checkedBy } from '../../../testing/repair/check-lines'
import { playClient } from '../../../testing/repair/play-client'
import { ClaudeCodeCheck } from './claude-code-check'
import { ClientLine } from './client-line'
import { clientPlan } from './client-plan'
import { CodexCheck } from './codex-check'

const say = (uuid: string, parentUuid: string | null, more: object = {}) =>
  JSON.stringify({ parentUuid, type: 'user', message: { role: 'user', content: 'x' }, uuid, ...more })
const [A, B, C] = [say('a', null), say('b', 'a'), say('c', 'b')]
const TORN = '{"parentUuid":"b","uuid":"t","mess'

const claudeCode = (text: string, cutAt?: number) => playClient(() => new ClaudeCodeCheck(), text, cutAt)

describe('M10 a transcript of another client', () => {
  it('that is sound: nothing is done, and it says whose it is', () => {
    expect(checkedBy(new ClaudeCodeCheck(), `${A}\n\n${B}\n`)).toEqual({
      ...{ ok: true, form: 'claude-code', kind: 'transcript', findings: [], notes: [] },
      plan: { steps: [], lines: new Map(), carried: new Set() },
      entries: { before: 2, dropped: 0, after: 2 },
      importable: 2,
      refusals: { before: [], after: [] },
    })
    const codex = new CodexBuilder()
    codex.user('go')
    codex.calls('c')
    expect(checkedBy(new CodexCheck(), codex.text())).toMatchObject({
      ...{ ok: true, form: 'codex', kind: 'transcript', findings: [], importable: 4 },
    })
  })

  it('that is empty has not begun; one of which nothing can be read is not empty', () => {
    expect(checkedBy(new ClaudeCodeCheck(), '')).toMatchObject({
      ...{ ok: true, kind: 'empty', notes: [{ class: 'empty-file', line: 1, count: 1 }] },
    })
    expect(checkedBy(new ClaudeCodeCheck(), 'bad\n')).toMatchObject({
      ...{ ok: false, kind: 'transcript', notes: [], entries: { before: 0, dropped: 0, after: 0 } },
    })
  })

  it('is never taken from skeletons of its lines', () => {
    const check = new ClaudeCodeCheck()
    expect(check.addSkeleton()).toBe(false)
    expect(check.finish().kind).toBe('empty')
  })

  /** What it is, the text, what is found, and the text then. */
  it.each<[string, string, readonly string[], string, string]>([
    ['a line that is no JSON goes', `${A}\nbad\n${B}\n`, ['2 unparseable-line'], `${A}\n${B}\n`, 'drop 2'],
    ['and one that is no entry', `${A}\n[]\n${B}\n`, ['2 not-an-entry'], `${A}\n${B}\n`, 'drop 2'],
    ['a torn end goes', `${A}\n${TORN}`, ['2 torn-tail'], `${A}\n`, 'drop 2'],
    ['a newline is put at the end', `${A}\n${B}`, ['2 no-final-newline'], `${A}\n${B}\n`, ''],
    [
      'that is so whatever else is done',
      `${A}\nbad\n${B}`,
      ['2 unparseable-line', '3 no-final-newline'],
      `${A}\n${B}\n`,
      'drop 2',
    ],
    ['stray bytes go', `\ufeff${A}\0\n${B}\n`, ['1 stray-bytes'], `${A}\n${B}\n`, 'change 1'],
    [
      'lines that grew together are set free',
      `${A}${B}\n${C}\n`,
      ['1 joined-lines', '1 joined-lines'],
      `${A}\n${B}\n${C}\n`,
      'change 1 · change 1',
    ],
    [
      'also at the end',
      `${A}${B}`,
      ['1 joined-lines', '1 joined-lines'],
      `${A}\n${B}\n`,
      'change 1 · change 1',
    ],
    [
      'what is torn between them goes, and leads on',
      `${A}\n${B}${TORN}${say('d', 't')}\n`,
      ['2 joined-lines', '2 torn-part', '2 joined-lines', '2 broken-parent'],
      `${A}\n${B}\n${say('d', 'b')}\n`,
      'drop 2 · change 2 · change 2',
    ],
    [
      'what grew together may be there twice',
      `${A}${A}\n${B}\n`,
      ['1 joined-lines', '1 joined-lines', '1 duplicate-entry → 1'],
      `${A}\n${B}\n`,
      'change 1 · drop 1',
    ],
    [
      'also beside a copy on another line',
      `${A}\n${A}${B}\n`,
      ['2 joined-lines', '2 joined-lines', '2 duplicate-entry → 1'],
      `${A}\n${B}\n`,
      'drop 2 · change 2',
    ],
    [
      'a line that is not a message begins one',
      `${A}{"type":"summary","summary":"s"}\n`,
      ['1 joined-lines', '1 joined-lines'],
      `${A}\n{"type":"summary","summary":"s"}\n`,
      'change 1 · change 1',
    ],
  ])('%s', async (_what, text, found, after, steps) => {
    expect(await claudeCode(text)).toMatchObject({ found, text: after, steps, again: [] })
  })

  it('findings are in the order of lines, and say what damage means to that client', async () => {
    const { check } = await claudeCode(`${say('a', null, { message: null })}\n${A}\nbad\n${say('b', 'zz')}`)
    expect(check.ok).toBe(false)
    expect(check.findings.map(({ class: what, line, entryId, risk }) => [what, line, entryId, risk])).toEqual(
      [
        ['no-content', 1, 'a', 'medium'],
        ['unparseable-line', 3, null, 'medium'],
        ['no-final-newline', 4, 'b', 'medium'],
        ['broken-parent', 4, 'b', 'medium'],
      ],
    )
    expect(check.plan.steps.map(({ kind, line, entryId, role }) => [kind, line, entryId, role])).toEqual([
      ['change', 1, 'a', 'user'],
      ['drop', 3, null, null],
      ['change', 4, 'b', 'user'],
    ])
    // The last reason counts; what only follows another line has none.
    expect(check.plan.steps.map(({ reason }) => reason)).toEqual([
      'gets a message that says so',
      'dropped; the backup keeps it',
      'follows line 2, the entry before it',
    ])
  })

  it('a line of no kind, and an answer without a message', async () => {
    const { check } = await claudeCode(
      `${A}\n${say('x', 'zz', { type: undefined, message: undefined })}\n${say('y', 'x', { type: 'assistant', message: null })}\n`,
    )
    expect(check.findings.map(({ class: what, line }) => [what, line])).toEqual([
      ['broken-parent', 2],
      ['no-content', 3],
    ])
    expect(check.plan.steps.map(({ role }) => role)).toEqual(['', 'assistant'])
  })

  it('counts entries, those that go, and those before the first line that cannot be read', async () => {
    const { check } = await claudeCode(`${A}\n${A}\n${B}\nbad\n${C}\n`)
    expect(check.entries).toEqual({ before: 4, dropped: 1, after: 3 })
    expect(check.importable).toBe(3)
    const joined = await claudeCode(`${A}\n${B}x${C}\n${say('d', 'c')}\n`)
    expect(joined.check).toMatchObject({ entries: { before: 4, dropped: 0, after: 4 }, importable: 2 })
  })

  it('how lines are written is noted', async () => {
    expect((await claudeCode(`${A}\r\n${B}\r\n`)).check.notes).toMatchObject([
      { class: 'carriage-returns', line: 1, count: 2 },
    ])
  })

  it('a line that is too long stays; no parent, call or result is missed, as it may be in that line', async () => {
    const long = say('l', 'gone', { more: 'x'.repeat(400) })
    const text = `${A}\n${long}\n${say('b', 'l')}\n${say('a', 'l')}\nbad\n`
    expect(await claudeCode(text, 300)).toMatchObject({
      found: ['5 unparseable-line'],
      text: text.replace('bad\n', ''),
      check: { notes: [{ class: 'long-line', line: 2, count: 1 }], entries: { before: 4, after: 4 } },
    })
    expect((await claudeCode(`${A}\n${long}`, 300)).found).toEqual(['2 no-final-newline'])
    const codex = new CodexBuilder()
    const note = { class: 'long-line', line: 1, count: 2 }
    expect(checkedBy(new CodexCheck(), codex.text(), 80)).toMatchObject({ ok: true, notes: [note] })
  })

  it('Codex: entries are known by their time, and follow no other', async () => {
    const { lines } = new CodexBuilder()
    const [meta = '', turn = ''] = lines
    const text = `${meta}${turn.slice(0, 40)}${turn}\n{"parentUuid":"gone","type":"user","uuid":"x"}\n`
    const scene = await playClient(() => new CodexCheck(), text)
    const torn = [meta.length, meta.length + 40]
    expect(scene.check.plan.steps).toMatchObject([
      { kind: 'drop', line: 1, role: null, part: torn },
      ...[0, 1].map(() => ({ kind: 'change', line: 1, role: '' })),
    ])
    expect(scene).toMatchObject({
      found: ['1 joined-lines', '1 torn-part', '1 joined-lines'],
      text: `${meta}\n${turn}\n{"parentUuid":"gone","type":"user","uuid":"x"}\n`,
      again: [],
    })
  })
})

describe('what is written of lines of a client', () => {
  const lineAt = (line: number, over: Partial<ClientLine> = {}, part?: readonly [number, number]) =>
    Object.assign(new ClientLine(line, part), { type: 'user', ...over })

  it('a line that follows another one says so, behind what else changes', () => {
    const one = lineAt(1, { written: 'a', parent: 'a', edits: [{ remove: ['x'] }] })
    expect(one.changes()).toEqual([{ remove: ['x'] }])
    one.parent = null
    expect(one.changes()).toEqual([{ remove: ['x'] }, { set: ['parentUuid'], value: 'null' }])
  })

  it('nothing of lines that stay; of others their parts, in order, with what is made behind them', () => {
    expect(clientPlan([lineAt(1)], [], null)).toEqual({ steps: [], lines: new Map(), carried: new Set() })
    const edits = [{ set: ['parentUuid'], value: '"a"' }]
    const { steps, lines, carried } = clientPlan(
      [
        lineAt(1),
        lineAt(1, { made: '{"m":1}', uuid: 'n' }),
        lineAt(2, { uuid: 'p', parent: 'a', written: 'z' }, [0, 5]),
        lineAt(2, { dropped: true, reasons: ['why', 'goes'] }, [5, 9]),
        lineAt(2, { made: '{"m":2}' }),
        lineAt(3, { parent: 'a' }),
        lineAt(4, { dropped: true }),
        lineAt(5),
      ],
      [
        { line: 2, part: [9, 12], found: 'torn-part', reason: 'torn' },
        { line: 6, found: 'unparseable-line', reason: 'bad' },
      ],
      5,
    )
    expect([...carried]).toEqual([])
    expect(new Map(lines)).toEqual(
      new Map([
        [
          1,
          [
            { kind: 'line', line: 1, edits: [] },
            { kind: 'made', text: '{"m":1}', edits: [] },
          ],
        ],
        [
          2,
          [
            { kind: 'line', line: 2, part: [0, 5], edits },
            { kind: 'made', text: '{"m":2}', edits: [] },
          ],
        ],
        [3, [{ kind: 'line', line: 3, edits }]],
        [4, []],
        [5, [{ kind: 'line', line: 5, edits: [] }]],
        [6, []],
      ]),
    )
    const other = 'goes on from another entry'
    expect(steps).toMatchObject([
      { kind: 'insert', line: 1, entryId: 'n', reason: other, emission: { kind: 'made' } },
      { kind: 'drop', line: 2, entryId: null, role: null, reason: 'torn', part: [9, 12], emission: null },
      { kind: 'change', line: 2, entryId: 'p', role: 'user', reason: other, emission: { part: [0, 5] } },
      { kind: 'drop', line: 2, reason: 'goes', part: [5, 9], emission: null },
      { kind: 'insert', line: 2, reason: other },
      { kind: 'change', line: 3, reason: other, emission: { kind: 'line', line: 3 } },
      { kind: 'drop', line: 4, emission: null },
      { kind: 'drop', line: 6, reason: 'bad', emission: null },
    ])
    expect(steps.map((step) => 'part' in step)).toEqual([
      false,
      true,
      false,
      true,
      false,
      false,
      false,
      false,
    ])
  })
})
