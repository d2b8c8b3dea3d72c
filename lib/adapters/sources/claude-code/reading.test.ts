import { describe, expect, it, test } from 'vitest'
import type { EntryFact } from '../../../core/transcript/entry'
import { SEND_START, sendStep } from '../../../core/transcript/send-rules'
import { inspectSession } from '../../../engine/read/inspect-session'
import { ClaudeCodeBuilder } from '../../../testing/builders/foreign-lines'
import { foreignStore, readTranslatedSession, sentTo } from '../../../testing/translated-session'
import { createStoreReader } from '../../stores/store-reader'

const TEXT = (text: string) => ({ type: 'text', text })
const CALL = (id: string, name = 'Read') => ({ type: 'tool_use', id, name, input: { path: 'a.txt' } })

describe('a transcript of Claude Code', () => {
  it('one response on three lines is one call, with the output of its last line', async () => {
    const lines = new ClaudeCodeBuilder()
    lines.user('Look at both files')
    lines.answer(
      'm1',
      { type: 'thinking', thinking: 'both', signature: 'x' },
      { input: 5, read: 900, write: 95, output: 1 },
    )
    lines.answer('m1', TEXT('I look.'), { input: 5, read: 900, write: 95, output: 1 })
    lines.answer('m1', CALL('t1'), { input: 5, read: 900, write: 95, output: 80 })
    lines.result('t1', 'content')
    lines.answer('m2', TEXT('Done.'), { input: 3, read: 1000, write: 120, output: 12 })
    const session = await readTranslatedSession('claude-code', lines.text())
    expect(session.totals).toMatchObject({ calls: 2, input: 8, cacheRead: 1900, cacheWrite: 215, output: 92 })
    expect(session.frames.map(({ total, output }) => [total.value, output.value])).toEqual([
      [1000, 80],
      [1123, 12],
    ])
    expect(sentTo(session, 2)).toEqual([
      'user: Look at both files',
      'assistant: both',
      'assistant: I look.',
      'assistant: Read {"path":"a.txt"}',
      'toolResult: content',
    ])
    expect(session.facts.find(({ resultFor }) => resultFor === 't1')?.toolName).toBe('Read')
  })

  it('lines that a resumed file holds once more are kept, and counted and sent once', async () => {
    const lines = new ClaudeCodeBuilder()
    lines.user('Look at the file')
    lines.answer('m1', TEXT('I look.'), { input: 5, read: 900, write: 95, output: 80 })
    lines.user('And now?')
    const once = lines.text()
    const first = await readTranslatedSession('claude-code', once)
    const twice = await readTranslatedSession('claude-code', once + once)
    expect(twice.totals).toMatchObject({ calls: 1, turns: 2, input: 5, cacheRead: 900, output: 80 })
    expect(twice.totals.entries).toBe(first.totals.entries + 3)
    expect(twice.totals.context).toEqual(first.totals.context)
    expect(sentTo(twice, 'next')).toEqual(sentTo(first, 'next'))
    expect(twice.facts.filter(({ customType }) => customType === 'repeated')).toHaveLength(3)
  })

  it('a file whose folder is named on a later line has one header', async () => {
    const lines = new ClaudeCodeBuilder()
    lines.aside('summary', { summary: 'Files', leafUuid: 'x' })
    lines.user('Look at the file')
    const { facts, totals } = await readTranslatedSession('claude-code', lines.text())
    expect(facts.filter(({ type }) => type === 'session')).toHaveLength(1)
    expect(totals.cwd).toBe('/w')
  })

  it('a first line without usage, as proxies write it, takes the usage of a later one', async () => {
    const lines = new ClaudeCodeBuilder()
    lines.user('Hello')
    lines.answer('m1', TEXT('a'), { output: 0 })
    lines.answer('m1', TEXT('b'), { input: 700, output: 20 })
    const session = await readTranslatedSession('claude-code', lines.text())
    expect(session.frames.map(({ total, output }) => [total.basis, total.value, output.value])).toEqual([
      ['measured', 700, 20],
    ])
    expect(session.totals).toMatchObject({ calls: 1, input: 700, output: 20 })
  })

  it('up to 2.1.38 the output is that of an unfinished answer: it is billed, and sizes nothing', async () => {
    const lines = new ClaudeCodeBuilder('2.1.38')
    lines.user('Hello')
    lines.answer('m1', TEXT('a long answer '.repeat(50)), { input: 700, output: 3 })
    const session = await readTranslatedSession('claude-code', lines.text())
    expect(session.frames[0]?.output).toEqual({ basis: 'unknown', value: null })
    expect(session.totals.output).toBe(3)
    expect(session.next.total.value).toBeGreaterThan(750)
  })

  it('results of calls that were made at once are all in the next prompt, whichever line is their parent', async () => {
    const lines = new ClaudeCodeBuilder()
    lines.user('Both')
    const first = lines.answer('m1', CALL('t1'), { input: 500 })
    const second = lines.answer('m1', CALL('t2'), { input: 500 })
    lines.result('t1', 'one', { parentUuid: first })
    const last = lines.result('t2', 'two', { parentUuid: second })
    lines.answer('m2', TEXT('Done.'), { input: 600 }, { parentUuid: last })
    const session = await readTranslatedSession('claude-code', lines.text())
    expect(sentTo(session, 2)).toEqual([
      'user: Both',
      'assistant: Read {"path":"a.txt"}',
      'assistant: Read {"path":"a.txt"}',
      'toolResult: one',
      'toolResult: two',
    ])
  })

  it('a rewind leaves the abandoned branch out', async () => {
    const lines = new ClaudeCodeBuilder()
    lines.user('First')
    const answer = lines.answer('m1', TEXT('One.'), { input: 500 })
    lines.user('Wrong way')
    lines.answer('m2', TEXT('Lost.'), { input: 520 })
    lines.user('Other way', { parentUuid: answer })
    const session = await readTranslatedSession('claude-code', lines.text())
    expect(sentTo(session, 'next')).toEqual(['user: First', 'assistant: One.', 'user: Other way'])
  })

  it('after a compaction: the summary, then what it preserved, then what follows', async () => {
    const lines = new ClaudeCodeBuilder()
    lines.user('Old question')
    const kept = lines.answer('m1', TEXT('Kept answer.'), { input: 900, output: 40 })
    const anchor = `u${lines.lines.length + 2}`
    lines.line('system', {
      subtype: 'compact_boundary',
      parentUuid: null,
      logicalParentUuid: kept,
      compactMetadata: {
        trigger: 'auto',
        preTokens: 940,
        preservedSegment: { headUuid: kept, anchorUuid: anchor, tailUuid: kept },
      },
    })
    lines.user('This session is being continued …', { isCompactSummary: true })
    lines.user('<command-name>/compact</command-name>')
    lines.user('And now?')
    lines.answer('m2', TEXT('Now.'), { input: 970 })
    const session = await readTranslatedSession('claude-code', lines.text())
    expect(sentTo(session, 2)).toEqual([
      'compactionSummary: This session is being continued …',
      'assistant: Kept answer.',
      'custom: <command-name>/compact</command-name>',
      'user: And now?',
    ])
    expect(session.boundaries).toMatchObject([{ kind: 'compaction', afterCall: 1, tokensBefore: 940 }])
    expect(session.frames[1]?.categories.summary).toBeGreaterThan(0)
    expect(session.totals).toMatchObject({ turns: 2, compactions: 1 })
  })

  it('X2: a session is named by its command as long as nothing else was said', async () => {
    const init = '<command-message>init …</command-message>\n<command-name>/init</command-name>'
    const lines = new ClaudeCodeBuilder()
    lines.user(init)
    lines.answer('m1', TEXT('Done.'), { input: 900 })
    const nameOf = async () => (await readTranslatedSession('claude-code', lines.text())).totals.name
    expect(await nameOf()).toBe(init.replace('\n', ' '))
    lines.user('And the berths?')
    expect(await nameOf()).toBe('And the berths?')
  })

  it('a sub-agent in the file is billed to the session and in none of its windows', async () => {
    const lines = new ClaudeCodeBuilder()
    lines.user('Delegate')
    lines.answer('m1', CALL('t1', 'Task'), { input: 500, output: 10 })
    lines.user('Do the work', { isSidechain: true, parentUuid: null })
    lines.answer('s1', TEXT('Working.'), { input: 90_000, output: 5 }, { isSidechain: true })
    lines.answer('s1', TEXT('Worked.'), { input: 90_000, output: 50 }, { isSidechain: true })
    lines.result('t1', 'report')
    lines.answer('m2', TEXT('Done.'), { input: 600, output: 20 })
    const session = await readTranslatedSession('claude-code', lines.text())
    expect(session.frames.map(({ total }) => total.value)).toEqual([500, 600])
    expect(session.totals).toMatchObject({ calls: 2, turns: 1, input: 91_100, output: 80 })
    expect(session.totals.besides).toMatchObject({ calls: 1, input: 90_000, output: 50 })
    expect(sentTo(session, 2)).not.toContain('user: Do the work')
  })

  it('what the client injects counts as what it is, and what it wrote in place of a model is no call', async () => {
    const lines = new ClaudeCodeBuilder()
    lines.user('Hello')
    const attach = (type: string, content: string) =>
      lines.line('attachment', { attachment: { type }, rendered: [{ content }], renderedRole: 'system' })
    attach('skill_listing', 'skills '.repeat(40))
    attach('instructions', 'rules '.repeat(40))
    lines.line('attachment', { attachment: { type: 'prompt_snapshot', systemPrompt: 'x'.repeat(5000) } })
    lines.aside('api-request-shape', {
      shape: { system: [{ type: 'text', text: 'system '.repeat(50) }], tools: [{ name: 'Read' }] },
    })
    lines.answer(
      'm0',
      TEXT('No response requested.'),
      {},
      {
        message: {
          id: 'x',
          role: 'assistant',
          model: '<synthetic>',
          content: [TEXT('No response requested.')],
        },
      },
    )
    lines.answer('m1', TEXT('Hi.'), { input: 600, output: 9 })
    const session = await readTranslatedSession('claude-code', lines.text())
    expect(session.totals.calls).toBe(1)
    expect(Object.keys(session.frames[0]?.categories ?? {})).toEqual(
      expect.arrayContaining([
        'system-prompt',
        'tool-schemas',
        'skills',
        'bootstrap-file',
        'user',
        'assistant',
      ]),
    )
    expect(sentTo(session, 1)).toContain('assistant: No response requested.')
    const { categories, total } = session.frames[0] ?? { categories: {}, total: { value: 0 } }
    expect(Object.values(categories).reduce((a, b) => a + b, 0)).toBe(total.value)
  })

  it('keeps and counts what it does not know, and what is no JSON', async () => {
    const lines = new ClaudeCodeBuilder()
    lines.user('Hello')
    lines.aside('some-new-kind')
    lines.lines.push('{"type":"user", broken')
    lines.answer('m1', TEXT('Hi.'), { input: 600, output: 9 })
    const session = await readTranslatedSession('claude-code', lines.text())
    expect(session.totals).toMatchObject({
      unknownTypes: 1,
      unreadable: 1,
      calls: 1,
      sessionId: 's1',
      cwd: '/w',
    })
    expect(session.facts.find(({ type }) => type === 'unknown')?.rawType).toBe('some-new-kind')
  })

  it('a kind of line or attachment that is called like what every object has is an unknown one', async () => {
    const lines = new ClaudeCodeBuilder()
    lines.user('Hello')
    for (const type of ['constructor', 'toString', '__proto__']) {
      lines.aside(type)
      lines.line('attachment', { attachment: { type }, rendered: [{ content: 'words '.repeat(20) }] })
    }
    lines.answer('m1', TEXT('Hi.'), { input: 900, output: 9 }, {})
    const session = await readTranslatedSession('claude-code', lines.text())
    expect(session.totals).toMatchObject({ unknownTypes: 3, name: 'Hello', calls: 1 })
    const { categories, total } = session.frames[0] ?? { categories: {}, total: { value: 0 } }
    expect(Object.keys(categories).sort()).toEqual(['other', 'residual', 'user'])
    expect(Object.values(categories).reduce((a, b) => a + b, 0)).toBe(total.value)
  })

  it('a response without end keeps no more of its calls than a response has', async () => {
    const lines = new ClaudeCodeBuilder()
    lines.user('Go')
    for (let i = 0; i < 2_000; i++) lines.answer('m1', CALL(`t${i}`), { input: 500, output: 1 })
    lines.result('t1999', 'the last one')
    const session = await readTranslatedSession('claude-code', lines.text())
    expect(session.totals.calls).toBe(1)
    expect(sentTo(session, 'next').at(-1)).toBe('toolResult: the last one')
    const send = sendStep(
      { ...SEND_START, open: Array.from({ length: 256 }, (_, i) => `c${i}`) },
      { ...(session.facts.at(-2) as EntryFact), again: true },
      'claude-code',
    )
    expect(send.state.open).toHaveLength(256)
    expect(send.state.open.at(-1)).toBe('t1999')
  })
})

test('the line of an entry is there as it is written, beside the entry that is made of it', async () => {
  const lines = new ClaudeCodeBuilder()
  lines.user('Look at the file')
  lines.answer('m1', TEXT('I look.'), { input: 5, read: 900, output: 20 })
  const { store } = foreignStore('claude-code', lines.text())
  const reader = createStoreReader({ lastLine: 'take-whole' })
  for await (const transcript of reader.list(store)) {
    const { facts } = await inspectSession(reader, store, transcript)
    const answer = facts.find(({ role }) => role === 'assistant')
    if (answer === undefined) throw new Error('there is no answer')
    expect(await reader.source(store, transcript, { ...answer, asWritten: true })).toBe(lines.lines[1])
    expect(JSON.parse(await reader.source(store, transcript, answer))).toMatchObject({ id: 'u2' })
  }
})
