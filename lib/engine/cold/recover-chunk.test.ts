import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeUtf8 } from '../../adapters/jsonl/decode-utf8'
import { contentOfNote } from '../../core/cold/place-back'
import type { ColdRecord, RecordPlace } from '../../core/cold/record'
import { isObject } from '../../core/transcript/json'
import { anyCharacter } from '../../testing/builders/any-text'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { MemoryDisk } from '../../testing/memory-disk'
import { recoveryLog } from '../../testing/recovery-log'
import { type TestWriterOptions, testWriter } from '../../testing/test-writer'
import type { FoundStore, FoundTranscript } from '../read/ports'
import { undoWrite } from '../write/undo-write'
import { type RecoverRequest, recoverChunk } from './recover-chunk'

const FILE = '/store/a.jsonl'
const AT = Date.parse('2026-11-02T08:00:00Z')

const STORE: FoundStore = { id: 'st', kind: 'pi', era: 'jsonl', root: '/store', label: '', state: 'ok' }
const TRANSCRIPT: FoundTranscript = {
  id: 't',
  storeId: 'st',
  sessionId: 's1',
  key: null,
  agent: null,
  path: FILE,
  state: 'live',
  stamp: { dev: 1, ino: 1, size: 1, mtimeMs: 1 },
  index: null,
}

const chunk = (place: RecordPlace | null, more: Partial<ColdRecord> = {}): ColdRecord => ({
  chunkId: 'c1',
  sessionId: 's1',
  at: AT - 1000,
  content: 'The harbour has 4 piers.\r\n\tThe 5th is closed.',
  tokens: 12,
  reason: 'low_relevance',
  score: 0.1,
  prompt: 'the pier',
  until: AT + 1000,
  place,
  ...more,
})

/** A turn with a call, another turn: e1 user, e2 call, e3 result, e4 reply, e5 user, e6 reply. */
function conversation(): TranscriptBuilder {
  const t = new TranscriptBuilder()
  t.user('first')
  t.assistant('', { calls: ['t1'], stop: 'toolUse' })
  t.message({
    role: 'toolResult',
    toolCallId: 't1',
    toolName: 'exec',
    content: [{ type: 'text', text: 'out' }],
  })
  t.assistant('done')
  t.user('second')
  t.assistant('yes')
  return t
}

async function world(lines: readonly string[], options: TestWriterOptions = {}) {
  const disk = new MemoryDisk()
  const text = `${lines.join('\n')}\n`
  await disk.put(FILE, text)
  const writer = testWriter(disk, { now: () => AT, ...options })
  const { log, logged } = recoveryLog()
  const recover = (record: ColdRecord, more: Partial<RecoverRequest> = {}) =>
    recoverChunk(
      {
        writer,
        decode: decodeUtf8,
        newEntryId: (isTaken) => (isTaken('f00dcafe') ? 'f00dcaff' : 'f00dcafe'),
        log,
      },
      {
        chunk: record,
        store: STORE,
        transcript: TRANSCRIPT,
        wanted: 'neighbourhood',
        cause: { trigger: 'manual', query: 'harbour', score: 0.8 },
        actor: 'test',
        wait: { waitMs: 0 },
        ...more,
      },
    )
  const entries = (): Record<string, unknown>[] =>
    (disk.text(FILE) ?? '')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { disk, writer, text, logged, recover, entries }
}

/** Ids along the chain of parents from the last entry. */
function chain(entries: readonly Record<string, unknown>[]): unknown[] {
  const ids: unknown[] = []
  for (let at = entries.at(-1); at !== undefined; ) {
    ids.unshift(at.id)
    const parent = at.parentId
    at = parent === null ? undefined : entries.find(({ id }) => id === parent)
  }
  return ids
}

function noteOf(entries: readonly Record<string, unknown>[]) {
  const message = entries.find(({ id }) => id === 'f00dcafe')?.message
  if (!isObject(message) || !Array.isArray(message.content)) throw new Error('There is no note')
  return { role: message.role, text: String(message.content[0]?.text) }
}

describe('a chunk that comes back into its transcript (I6, X13)', () => {
  test('in its old neighbourhood, in the role of the user, and not between a call and its result', async () => {
    const { recover, entries } = await world(conversation().lines)
    const result = await recover(chunk({ entryIds: ['gone'], afterEntryId: 'e2' }))
    expect(result).toMatchObject({ kind: 'recovered', entryId: 'f00dcafe', place: { kind: 'neighbourhood' } })
    expect(chain(entries())).toEqual(['e1', 'e2', 'e3', 'f00dcafe', 'e4', 'e5', 'e6'])
    const { role, text } = noteOf(entries())
    expect(role).toBe('user')
    expect(contentOfNote(text)).toBe(chunk(null).content)
    expect(text).toContain('do not answer it')
  })

  test('at the end, when that is wanted or the old place is not known', async () => {
    for (const [place, wanted] of [
      [{ entryIds: [], afterEntryId: 'e2' }, 'end'],
      [null, 'neighbourhood'],
      [{ entryIds: ['nobody'], afterEntryId: 'none' }, 'neighbourhood'],
    ] as const) {
      const { recover, entries } = await world(conversation().lines)
      expect(await recover(chunk(place), { wanted })).toMatchObject({ place: { kind: 'end' } })
      expect(chain(entries())).toEqual(['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'f00dcafe'])
    }
  })

  test('at the end, when its neighbours were compacted away since', async () => {
    const t = conversation()
    t.entry('compaction', { summary: 'What was.', firstKeptEntryId: 'e5', tokensBefore: 10 })
    const { recover } = await world(t.lines)
    expect(await recover(chunk({ entryIds: [], afterEntryId: 'e1' }))).toMatchObject({
      place: { kind: 'end', why: 'its old neighbours are no longer in the context' },
    })
    const kept = await world(t.lines)
    expect(await kept.recover(chunk({ entryIds: [], afterEntryId: 'e5' }))).toMatchObject({
      kind: 'recovered',
      place: { kind: 'neighbourhood' },
    })
  })

  test('version 1, which has no ids: at the end', async () => {
    const lines = [
      '{"type":"session","id":"s1","timestamp":"2026-11-01T08:00:00.000Z","cwd":"/w"}',
      '{"type":"message","timestamp":"2026-11-01T08:00:01.000Z","message":{"role":"user","content":"hello"}}',
    ]
    const { recover, entries } = await world(lines)
    expect(await recover(chunk({ entryIds: [], afterEntryId: '#1' }))).toMatchObject({
      place: { kind: 'end' },
    })
    expect(entries().at(-1)).not.toHaveProperty('id')
  })

  test('whatever it says: the content is the same to the byte, and undo puts every byte back', async () => {
    const content = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('</recovered-context>', '</recovered-context></recovered-context-2>\n', '\n\n', ''),
    )
    const after = fc.constantFrom(null, 'e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'x')
    await fc.assert(
      fc.asyncProperty(content, after, async (text, afterEntryId) => {
        const { recover, writer, disk, entries, text: before } = await world(conversation().lines)
        const result = await recover(chunk({ entryIds: [], afterEntryId }, { content: text }))
        if (result.kind !== 'recovered') throw new Error(JSON.stringify(result))
        expect(contentOfNote(noteOf(entries()).text)).toBe(text)
        const undone = await undoWrite(writer, {
          receipt: result.receipt.id,
          actor: 'test',
          wait: { waitMs: 0 },
        })
        expect(undone.kind).toBe('done')
        expect(disk.text(FILE)).toBe(before)
      }),
      { numRuns: 15 },
    )
  })

  test('once: what is there already is not brought again', async () => {
    const { recover, disk } = await world(conversation().lines)
    await recover(chunk(null))
    const once = disk.text(FILE)
    expect(await recover(chunk(null))).toEqual({ kind: 'unchanged' })
    expect(disk.text(FILE)).toBe(once)
    expect(await recover(chunk(null, { chunkId: 'c2' }))).toMatchObject({ kind: 'recovered' })
  })

  test('I7: with a line in the log of recoveries', async () => {
    const { recover, logged } = await world(conversation().lines)
    await recover(chunk(null))
    expect(logged).toEqual([
      {
        event: 'chunk_recovered',
        chunkId: 'c1',
        sessionId: 's1',
        trigger: 'manual',
        query: 'harbour',
        relevanceScore: 0.8,
        tokens: 12,
        destination: 'transcript',
      },
    ])
  })
})

describe('what is refused leaves everything as it is', () => {
  const owner = { pid: 7, command: 'openclaw', since: null, evidence: 'the lock file' } as const

  test.each([
    ['expired', {}, {}, { until: AT - 1 }, 'expired'],
    ['archived', {}, { transcript: { ...TRANSCRIPT, state: 'reset' } }, {}, 'not-supported'],
    ['in a database', {}, { store: { ...STORE, era: 'sqlite' } }, {}, 'not-supported'],
    ['locked', { foreign: new Map([[FILE, owner]]) }, {}, {}, 'locked'],
    ['live', { live: owner }, {}, {}, 'live'],
    ['gone', {}, { transcript: { ...TRANSCRIPT, path: '/store/b.jsonl' } }, {}, 'missing'],
  ] as const)('%s', async (_name, options, request, record, code) => {
    const { recover, disk, text, logged } = await world(conversation().lines, options as TestWriterOptions)
    const result = await recover(chunk(null, record), request as Partial<RecoverRequest>)
    expect(result).toMatchObject({ kind: 'refused', refusal: { code } })
    expect(disk.text(FILE)).toBe(text)
    expect(logged).toEqual([])
  })
})
