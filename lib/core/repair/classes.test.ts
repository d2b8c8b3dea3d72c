import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { brokenPromise, checkBytes, repairBytes } from '../../testing/repair/invariants'
import type { FindingClass } from './finding'

/** Repairs a text; answers what was found, and the entries of the result. */
async function repaired(text: string) {
  const before = Buffer.from(text)
  const result = await repairBytes(before)
  expect(brokenPromise(before, result)).toBeNull()
  const lines = result.bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
  return {
    found: result.check.findings.map((finding) => finding.class),
    check: result.check,
    lines,
    entries: lines.map((line) => JSON.parse(line)),
    ids: lines.map((line) => JSON.parse(line).id as string),
  }
}

function conversation(): TranscriptBuilder {
  const session = new TranscriptBuilder()
  session.user('list the berths')
  session.assistant('', { calls: ['a', 'b'] })
  session.result('a', 'one')
  session.result('b', 'two')
  session.assistant('two berths')
  return session
}

const without = (session: TranscriptBuilder, line: number) =>
  `${session.lines.toSpliced(line, 1).join('\n')}\n`
const replaced = (session: TranscriptBuilder, line: number, ...lines: string[]) =>
  `${session.lines.toSpliced(line, 1, ...lines).join('\n')}\n`

describe('M10 lines that cannot be read', () => {
  it('drops them, and lets what followed go on from their nearest kept ancestor', async () => {
    const session = conversation()
    const torn = (session.lines[5] ?? '').slice(0, 120)
    session.user('go on')
    const { found, lines, entries } = await repaired(replaced(session, 5, torn))
    expect(found).toEqual(['unparseable-line'])
    expect(lines.slice(0, 5)).toEqual(session.lines.slice(0, 5))
    expect(entries.at(-1)).toMatchObject({ id: 'e6', parentId: 'e4' })
  })

  it('drops a torn last line', async () => {
    const session = conversation()
    const { found, lines } = await repaired(`${session.text()}{"type":"message","id":"x","par`)
    expect(found).toEqual(['torn-tail'])
    expect(lines).toEqual(session.lines)
  })

  it('keeps a last line that only lacks its newline', async () => {
    const session = conversation()
    const { found, lines } = await repaired(session.text().trimEnd())
    expect(found).toEqual(['no-final-newline'])
    expect(lines).toEqual(session.lines)
  })

  it.each([
    ['zero bytes', (line: string) => `\0\0\0${line}`, ['stray-bytes']],
    ['a byte order mark', (line: string) => `\ufeff${line}`, ['stray-bytes']],
    ['half a line grown onto it', (line: string) => `{"type":"mess${line}`, ['torn-part', 'joined-lines']],
  ] as const)('sets an entry free from %s', async (_what, damage, expected) => {
    const session = conversation()
    const { found, lines } = await repaired(replaced(session, 3, damage(session.lines[3] ?? '')))
    expect(found).toEqual(expected)
    expect(lines).toEqual(session.lines)
  })

  it('parts two entries on one line', async () => {
    const session = conversation()
    const text = session.text().replace('\n{"type":"message","id":"e4"', '{"type":"message","id":"e4"')
    const { found, lines } = await repaired(text)
    expect(found).toEqual(['joined-lines', 'joined-lines'])
    expect(lines).toEqual(session.lines)
  })

  it('leaves carriage returns, blank lines and huge numbers as they are', async () => {
    const session = conversation()
    session.raw(`${session.lines.pop()?.replace('"stopReason"', '"n":1e999,"stopReason"')}\r`).raw('  ')
    const { check } = await repaired(session.text())
    expect(check.ok).toBe(true)
    expect(check.notes).toMatchObject([{ class: 'carriage-returns', count: 1 }])
  })

  it.each([
    ['null', 'not-an-entry'],
    ['[]', 'not-an-entry'],
    ['{}', 'not-an-entry'],
    ['{"type":"message","id":"x","parentId":"e5","message":{"role":null,"content":"?"}}', 'no-role'],
    [`{"type":"custom","id":"x","parentId":"e5","data":${'['.repeat(3000)}${']'.repeat(3000)}}`, 'too-deep'],
    ['{"type":"session","version":3,"id":"other"}', 'second-header'],
  ] as const)('drops %.40s', async (line, expected) => {
    const session = conversation()
    const { found, lines } = await repaired(`${session.text()}${line}\n`)
    expect(found).toEqual([expected])
    expect(lines).toEqual(session.lines)
  })
})

describe('M10 contents', () => {
  const contents: readonly [FindingClass, object, object][] = [
    ['blank-user', { role: 'user', content: ' \n' }, { content: '(continue)' }],
    ['blank-user', { role: 'user', content: [] }, { content: [{ type: 'text', text: '(continue)' }] }],
    [
      'blank-user',
      {
        role: 'user',
        content: [
          { type: 'text', text: '' },
          { type: 'text', text: 'hi' },
        ],
      },
      { content: [{ type: 'text', text: 'hi' }] },
    ],
    [
      'empty-error-turn',
      { role: 'assistant', content: [], stopReason: 'error' },
      { content: [{ type: 'text', text: '[assistant turn failed before producing content]' }] },
    ],
    [
      'broken-image',
      { role: 'user', content: [{ type: 'image', data: '%%%', mimeType: 'image/png' }] },
      { content: [{ type: 'text', text: '[image omitted: corrupted base64 payload]' }] },
    ],
    ['no-content', { role: 'assistant', stopReason: 'stop' }, { content: [] }],
    [
      'no-content',
      { role: 'assistant', stopReason: 'error', content: null },
      { content: [{ type: 'text', text: '[assistant turn failed before producing content]' }] },
    ],
    [
      'broken-block',
      { role: 'user', content: [null, { type: 'text', text: 'hi' }] },
      { content: [{ type: 'text', text: 'hi' }] },
    ],
    [
      'incomplete-call',
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'hm' },
          { type: 'toolCall', id: 'c', name: 'ls' },
        ],
      },
      { content: [{ type: 'text', text: 'hm' }] },
    ],
  ]
  it.each(contents)('%s: %j', async (expected, message, after) => {
    const session = conversation()
    session.message({ ...message })
    const { found, entries } = await repaired(session.text())
    expect(found).toEqual([expected])
    expect(entries.at(-1).message).toMatchObject(after)
  })
})

describe('M11 the header', () => {
  it('is never made up: a file without one stays as it is, with the reason', async () => {
    const session = conversation()
    const { check } = await repaired(without(session, 0))
    expect(check).toMatchObject({ kind: 'headless', findings: [{ class: 'bad-header', fix: null }] })
    const other = await repaired(replaced(session, 0, '{"type":"session","version":3}'))
    expect(other.check.kind).toBe('headless')
  })

  it('goes to the beginning as it is, when it is behind other lines', async () => {
    const session = conversation()
    const [header = '', first = ''] = session.lines
    const { found, lines } = await repaired(`${[first, header, ...session.lines.slice(2)].join('\n')}\n`)
    expect(found).toContain('late-header')
    expect(lines).toEqual(session.lines)
  })

  it('leaves files of other programs alone', async () => {
    const text = '{"type":"summary","summary":"x","leafUuid":"u"}\nnot json\n'
    expect(await checkBytes(Buffer.from(text))).toMatchObject({
      ok: true,
      kind: 'foreign',
      notes: [{ class: 'foreign-format' }],
    })
  })
})

describe('M12 M13 M14 tool calls and results', () => {
  it('M12 puts in a failed result where one is missing, in the words that OpenClaw knows', async () => {
    const { found, entries } = await repaired(without(conversation(), 4))
    expect(found).toContain('missing-result')
    expect(entries[4]).toMatchObject({
      parentId: 'e3',
      message: {
        role: 'toolResult',
        toolCallId: 'b',
        toolName: 'exec',
        isError: true,
        content: [
          {
            type: 'text',
            text: '[openclaw] missing tool result in session history; inserted synthetic error result for transcript repair.',
          },
        ],
      },
    })
    expect(entries[5].parentId).toBe(entries[4].id)
  })

  it('M13 drops an orphan, and a second result of one call', async () => {
    const orphan = conversation()
    orphan.result('nobody', 'x')
    orphan.user('next')
    const first = await repaired(orphan.text())
    expect(first.found).toEqual(['orphan-result'])
    expect(first.entries.at(-1)).toMatchObject({ id: 'e7', parentId: 'e5' })
    const twice = new TranscriptBuilder()
    twice.assistant('', { calls: ['a'] })
    twice.result('a', 'first')
    twice.result('a', 'second')
    const second = await repaired(twice.text())
    expect(second.found).toEqual(['duplicate-result'])
    expect(second.ids).toEqual(['s1', 'e1', 'e2'])
  })

  it('M13 moves a displaced result behind its call', async () => {
    const session = new TranscriptBuilder()
    session.assistant('', { calls: ['a'] })
    session.user('hurry')
    session.result('a', 'late')
    session.assistant('done')
    const { found, entries } = await repaired(session.text())
    expect(found).toEqual(['displaced-result'])
    expect(entries.slice(1).map(({ id, parentId }) => [id, parentId])).toEqual([
      ['e1', null],
      ['e3', 'e1'],
      ['e2', 'e3'],
      ['e4', 'e2'],
    ])
  })

  it('takes a real result instead of one that an earlier repair put in', async () => {
    const damaged = new TranscriptBuilder()
    damaged.assistant('', { calls: ['a'] })
    damaged.user('hurry')
    const { lines, ids } = await repaired(damaged.text())
    const real = `{"type":"message","id":"late","parentId":"${ids.at(-1)}","message":{"role":"toolResult","toolCallId":"a","content":[{"type":"text","text":"real"}]}}`
    const again = await repaired(`${[...lines, real].join('\n')}\n`)
    expect(again.entries.filter(({ message }) => message?.role === 'toolResult')).toMatchObject([
      { id: 'late' },
    ])
  })

  it('gives a result without an id that of the only call it can answer', async () => {
    const session = new TranscriptBuilder()
    session.assistant('', { calls: ['a'] })
    session.message({ role: 'toolResult', toolName: 'exec', content: [{ type: 'text', text: 'x' }] })
    const { found, entries } = await repaired(session.text())
    expect(found).toEqual(['unnamed-result'])
    expect(entries.at(-1).message).toMatchObject({ toolCallId: 'a', isError: true })
  })

  it.each(['aborted', 'error'])('M14 gives a turn that was %s no results', async (stop) => {
    const session = conversation()
    session.assistant('wait', { calls: ['c', 'd'], stop })
    session.result('c', 'what came')
    session.user('what happened?')
    const { check } = await repaired(session.text())
    expect(check.ok).toBe(true)
    expect(check.notes).toMatchObject([{ class: 'failed-turn' }])
  })

  it('keeps ids that a provider uses again', async () => {
    const session = conversation()
    session.assistant('', { calls: ['a'] })
    session.result('a', 'again')
    expect((await repaired(session.text())).check.ok).toBe(true)
  })
})

describe('M10 the tree', () => {
  it('attaches an entry with a lost parent to the one before it', async () => {
    const session = conversation()
    session.user('next', { parentId: 'lost' })
    const { found, entries } = await repaired(session.text())
    expect(found).toEqual(['broken-parent'])
    expect(entries.at(-1).parentId).toBe('e5')
  })

  it('cuts a circle open', async () => {
    const session = conversation()
    const text = session.text().replace('"id":"e1","parentId":null', '"id":"e1","parentId":"e5"')
    const { found, entries } = await repaired(text)
    expect(found).toContain('cycle')
    expect(entries[1]).toMatchObject({ id: 'e1', parentId: null })
  })

  it('puts two lines that changed places back', async () => {
    const session = conversation()
    const [a = '', b = ''] = [session.lines[1], session.lines[5]]
    const { found, lines } = await repaired(`${session.lines.with(1, b).with(5, a).join('\n')}\n`)
    expect(new Set(found)).toEqual(new Set(['late-parent']))
    expect(lines).toEqual(session.lines)
  })

  it('drops a copy of an entry, and renames another one with the same id', async () => {
    const copied = conversation()
    copied.raw(copied.lines[2] ?? '')
    expect(await repaired(copied.text())).toMatchObject({
      found: ['duplicate-entry'],
      lines: conversation().lines,
    })
    const same = conversation()
    same.user('another', { id: 'e1' })
    same.user('after it', { parentId: 'e1' })
    const { found, entries } = await repaired(same.text())
    expect(found).toEqual(['duplicate-id'])
    expect(entries.at(-1).parentId).toBe(entries.at(-2).id)
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
  })

  it('drops a jump to nowhere, and says so where a compaction keeps nothing', async () => {
    const session = conversation()
    session.compaction('so far', 'lost')
    session.entry('leaf', { targetId: 'nowhere' })
    const { found, entries } = await repaired(session.text())
    expect(found).toEqual(['dangling-first-kept', 'dangling-leaf'])
    expect(entries.at(-1)).toMatchObject({ type: 'compaction', firstKeptEntryId: 'e6' })
  })

  it('M13: a compaction between a call and its result keeps from the call on', async () => {
    const session = new TranscriptBuilder()
    session.user('go')
    const call = session.assistant('', { calls: ['x'] })
    const result = session.result('x', 'done')
    session.assistant('Fine.')
    session.compaction('so far', result)
    session.user('next')
    const { found, entries } = await repaired(session.text())
    expect(found).toEqual(['split-pair'])
    expect(entries.at(-2)).toMatchObject({ type: 'compaction', firstKeptEntryId: call })
  })

  it('lets a compaction keep what followed the entry that is gone', async () => {
    const session = conversation()
    session.compaction('so far', 'e5')
    session.user('next')
    const torn = (session.lines[5] ?? '').slice(0, 120)
    const more = new TranscriptBuilder()
    more.user('a')
    more.user('b')
    more.user('c')
    more.compaction('so far', 'e2')
    const { entries } = await repaired(replaced(more, 2, (more.lines[2] ?? '').slice(0, 90)))
    expect(entries.at(-1)).toMatchObject({ firstKeptEntryId: 'e3' })
    expect((await repaired(replaced(session, 5, torn))).found).toContain('unparseable-line')
  })

  it('version 1: keeps the places that compactions name in step with the lines', async () => {
    const lines = [
      '{"type":"session","id":"old","timestamp":"2025-11-01T08:00:00.000Z"}',
      '{"type":"message","timestamp":"2025-11-01T08:00:01.000Z","message":{"role":null}}',
      '{"type":"message","timestamp":"2025-11-01T08:00:02.000Z","message":{"role":"user","content":"kept"}}',
      '{"type":"compaction","timestamp":"2025-11-01T08:00:03.000Z","summary":"s","firstKeptEntryIndex":2}',
    ]
    const { found, entries } = await repaired(`${lines.join('\n')}\n`)
    expect(found).toEqual(['no-role'])
    expect(entries.at(-1)).toMatchObject({ firstKeptEntryIndex: 1 })
  })
})

describe('X12 what providers would say', () => {
  it('names the provider and the reason, and nothing that a repair leaves', async () => {
    const session = new TranscriptBuilder()
    session.assistant('', { calls: ['b'] })
    session.user('well?')
    const { check } = await repaired(session.text())
    const hard = check.refusals.before.filter(({ healed }) => !healed)
    expect(hard.map(({ family, own, because }) => [family, own, because])).toEqual([
      ['anthropic', true, 'the tool call b has no result'],
      ['openai', false, 'the tool call b has no result'],
      ['google', false, 'the tool call b has no result'],
      ['mistral', false, 'the tool call b has no result'],
    ])
    expect(check.refusals.after.filter(({ healed }) => !healed)).toEqual([])
  })
})

describe('repair before migration', () => {
  it('tells how many entries an import would keep, and how many after a repair', async () => {
    const session = conversation()
    const { check } = await repaired(replaced(session, 3, 'bad'))
    expect(check.importable).toBe(3)
    expect(check.entries.after).toBe(6)
  })
})
