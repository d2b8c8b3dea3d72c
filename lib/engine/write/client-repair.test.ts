import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeUtf8 } from '../../adapters/jsonl/decode-utf8'
import { lineSkeleton } from '../../adapters/jsonl/line-skeleton'
import type { RepairCheck } from '../../core/repair/line-check'
import { ClaudeCodeBuilder } from '../../testing/builders/foreign-lines'
import { CORPUS, transcriptFiles } from '../../testing/corpus'
import { mutate } from '../../testing/repair/mutate'
import { mutateClaudeCode } from '../../testing/repair/mutate-claude-code'
import { readTranslatedSession, sentTo } from '../../testing/translated-session'
import { type CheckRules, checkTranscript, checkTwice } from './check-transcript'
import { rewriteLines } from './rewrite-lines'

const PORTS = { decode: decodeUtf8, skeleton: lineSkeleton }

async function* pieces(bytes: Uint8Array) {
  yield bytes
}

const check = (bytes: Uint8Array, rules: CheckRules = 'claude-code') =>
  checkTranscript(pieces(bytes), PORTS, rules)

async function repaired(bytes: Uint8Array, found: RepairCheck): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of rewriteLines(() => pieces(bytes), found.plan, decodeUtf8)) parts.push(part)
  return Buffer.concat(parts)
}

/** What a check finds, what the text is after the repair, and that a second one finds nothing. */
async function repair(text: string | Uint8Array, rules: CheckRules = 'claude-code') {
  const bytes = Buffer.from(text)
  const found = await check(bytes, rules)
  const after = await repaired(bytes, found)
  const again = await check(after, rules)
  expect(again.findings).toEqual([])
  return { found, after: after.toString(), classes: found.findings.map((one) => one.class) }
}

const TEXT = (text: string) => ({ type: 'text', text })
const CALL = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: { path: 'a.txt' } })

function conversation(): ClaudeCodeBuilder {
  const lines = new ClaudeCodeBuilder()
  lines.user('Look')
  lines.answer('m1', CALL('t1'), { input: 500 })
  lines.result('t1', 'content')
  lines.answer('m2', TEXT('Done.'), { input: 600 })
  lines.user('Thanks')
  return lines
}

describe('integrity and repair of transcripts of Claude Code', () => {
  it('a sound one has no findings, and is recognised by its lines where nothing else says whose it is', async () => {
    const bytes = Buffer.from(conversation().text())
    expect(await check(bytes)).toMatchObject({
      ok: true,
      form: 'claude-code',
      entries: { before: 5, after: 5 },
    })
    expect(await checkTwice(() => pieces(bytes), PORTS, 'late')).toMatchObject({
      kind: 'foreign',
      form: 'claude-code',
    })
  })

  it('a torn last line goes, and what follows a line that cannot be read goes on from its parent', async () => {
    const lines = conversation()
    const [, second = '', ...rest] = lines.lines
    const text = [lines.lines[0], second.slice(0, 120), ...rest, '{"parentUuid":"u5","isSidech'].join('\n')
    const { found, classes, after } = await repair(text)
    expect(classes).toEqual(
      ['unparseable-line', 'orphan-result', 'broken-parent', 'torn-tail'].sort(byClass(classes)),
    )
    expect(found.entries).toEqual({ before: 4, dropped: 1, after: 3 })
    expect(
      after
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).uuid),
    ).toEqual(['u1', 'u4', 'u5'])
    expect(JSON.parse(after.split('\n')[1] ?? '').parentUuid).toBe('u1')
  })

  it('a byte order mark, zero bytes and lines grown together: each entry is set free', async () => {
    const { lines } = conversation()
    const [a = '', b = '', c = '', ...rest] = lines
    const text = `\ufeff${a}\n${b}${c}\n\0\0\0\n${rest.join('\n')}`
    const { classes, after } = await repair(text)
    expect(classes).toEqual([
      'stray-bytes',
      'joined-lines',
      'joined-lines',
      'unparseable-line',
      'no-final-newline',
    ])
    expect(after).toBe(`${lines.join('\n')}\n`)
  })

  it('a parent that is not there, a circle, and a line that is there twice', async () => {
    const missing = conversation()
    missing.lines[3] = (missing.lines[3] ?? '').replace('"parentUuid":"u3"', '"parentUuid":"gone"')
    expect(await repair(missing.text())).toMatchObject({
      classes: ['broken-parent'],
      after: conversation().text(),
    })
    const circle = conversation()
    circle.lines[1] = (circle.lines[1] ?? '').replace('"parentUuid":"u1"', '"parentUuid":"u4"')
    expect(await repair(circle.text())).toMatchObject({ classes: ['cycle'], after: conversation().text() })
    const twice = conversation()
    twice.lines.push(twice.lines[1] ?? '')
    expect(await repair(twice.text())).toMatchObject({
      classes: ['duplicate-entry'],
      after: conversation().text(),
    })
  })

  it('a call without a result gets one that says so; what followed it goes on from there', async () => {
    const lines = new ClaudeCodeBuilder()
    lines.user('Look')
    lines.answer('m1', CALL('t1'), { input: 500 })
    lines.user('Never mind')
    const { classes, after } = await repair(lines.text())
    expect(classes).toEqual(['missing-result'])
    const [, call, result, next] = after
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(result).toMatchObject({ parentUuid: call.uuid, sessionId: 's1', type: 'user' })
    expect(result.message.content).toMatchObject([{ type: 'tool_result', tool_use_id: 't1', is_error: true }])
    expect(next.parentUuid).toBe(result.uuid)
    expect(sentTo(await readTranslatedSession('claude-code', after), 'next')).toEqual([
      'user: Look',
      'assistant: Read {"path":"a.txt"}',
      'toolResult: [Tool result missing due to internal error]',
      'user: Never mind',
    ])
  })

  it('calls that were made at once: the one that nothing answers gets its result beside the others', async () => {
    const lines = new ClaudeCodeBuilder()
    lines.user('Both')
    lines.answer('m1', CALL('t1'), { input: 500 })
    const second = lines.answer('m1', CALL('t2'), { input: 500 })
    const last = lines.result('t2', 'two', { parentUuid: second })
    lines.answer('m2', TEXT('Done.'), { input: 600 }, { parentUuid: last })
    const { classes, after } = await repair(lines.text())
    expect(classes).toEqual(['missing-result'])
    const sent = sentTo(await readTranslatedSession('claude-code', after), 2)
    expect(sent.filter((line) => line.startsWith('toolResult'))).toHaveLength(2)
  })

  it.each([
    ['an empty list', [], ['no-content'], [{ type: 'text', text: '(no content)' }]],
    ['a blank text', '  ', ['blank-user'], '(no content)'],
    ['a blank block beside another', [TEXT(' '), TEXT('x')], ['blank-user'], [TEXT('x')]],
    ['what is no block', [null, TEXT('x')], ['broken-block'], [TEXT('x')]],
  ])('content that the API refuses: %s', async (_, content, expected, after) => {
    const lines = conversation()
    lines.user(content)
    const made = await repair(lines.text())
    expect(made.classes).toEqual(expected)
    expect(JSON.parse(made.after.trimEnd().split('\n').at(-1) ?? '').message.content).toEqual(after)
  })

  it('lines of a sub-agent keep to themselves', async () => {
    const lines = conversation()
    lines.user('Work', { isSidechain: true, parentUuid: null })
    lines.answer('s1', CALL('x1'), {}, { isSidechain: true })
    expect((await repair(lines.text())).classes).toEqual([])
  })

  it('Codex: lines that cannot be read go, and nothing else is touched', async () => {
    const lines = [
      '{"timestamp":"2026-11-22T16:38:12Z","type":"session_meta","payload":{"id":"x","cwd":"/w"}}',
      '{"timestamp":"2026-11-22T16:38:13Z","type":"response_item","payload":{"type":"message"}}',
    ]
    const { classes, after } = await repair(`${lines[0]}\n{"timest\n${lines[1]}\n{"timestamp":"20`, 'codex')
    expect([classes, after]).toEqual([['unparseable-line', 'torn-tail'], `${lines.join('\n')}\n`])
  })
})

function byClass(order: readonly string[]) {
  return (a: string, b: string) => order.indexOf(a) - order.indexOf(b)
}

const files =
  CORPUS === null
    ? []
    : ['claude-code', 'claude-code-2.1.197', 'claude-code-2.1.330'].flatMap((folder) =>
        transcriptFiles(join(CORPUS ?? '', folder)),
      )
const rollouts =
  CORPUS === null
    ? []
    : ['codex', 'codex-0.169.0-local', 'codex-0.169.0-remote'].flatMap((folder) =>
        transcriptFiles(join(CORPUS ?? '', folder)),
      )

describe.skipIf(files.length === 0)('over the real sessions of the corpus', () => {
  it.each([...files, ...rollouts])('%s: what a repair would touch is named', async (file) => {
    const rules = rollouts.includes(file) ? 'codex' : 'claude-code'
    const bytes = readFileSync(file)
    const found = await check(bytes, rules)
    // One ends with a call that was never answered; one is no session but lines of each kind, with ids that were cut.
    if (file.endsWith('small.jsonl')) return
    const known: readonly string[] = ['missing-result']
    expect(found.findings.filter((one) => !known.includes(one.class))).toEqual([])
    if (found.ok) expect((await repaired(bytes, found)).equals(bytes)).toBe(true)
  })

  it('whatever the damage: the repair is clean, repeats itself, and what goes is named', async () => {
    const small = files.map((file) => readFileSync(file)).filter((bytes) => bytes.length < 400_000)
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat({ max: small.length - 1 }), async (seed, which) => {
        const bytes = mutateClaudeCode(small[which] ?? Buffer.alloc(0), seed)
        const found = await check(bytes)
        const after = await repaired(bytes, found)
        const again = await check(after)
        expect(again.findings).toEqual([])
        expect(again.entries.before).toBe(found.entries.after)
        expect((await repaired(after, again)).equals(after)).toBe(true)
        expect(found.plan.steps.filter(({ kind }) => kind === 'drop').length).toBeGreaterThanOrEqual(
          found.entries.dropped,
        )
        // Each uuid that was there is there, but for those that are said to go.
        const gone = new Set(
          found.plan.steps.flatMap(({ kind, entryId }) => (kind === 'drop' ? [entryId] : [])),
        )
        const left = new Set(idsIn(after.toString()))
        for (const id of idsIn(bytes.toString())) if (!gone.has(id)) expect(left.has(id)).toBe(true)
      }),
      { numRuns: 60 },
    )
  }, 60_000)

  it('Codex: the same', async () => {
    const small = rollouts.map((file) => readFileSync(file))
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat({ max: small.length - 1 }), async (seed, which) => {
        const { bytes } = mutate(small[which] ?? Buffer.alloc(0), seed)
        const found = await check(bytes, 'codex')
        const after = await repaired(bytes, found)
        expect((await check(after, 'codex')).findings).toEqual([])
      }),
      { numRuns: 30 },
    )
  }, 60_000)
})

/** Ids of the lines that can be read whole. */
function idsIn(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    try {
      const { uuid } = JSON.parse(line)
      return typeof uuid === 'string' ? [uuid] : []
    } catch {
      return []
    }
  })
}
