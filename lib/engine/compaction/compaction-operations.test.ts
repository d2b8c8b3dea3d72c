import { beforeEach, describe, expect, it } from 'vitest'
import { decodeUtf8 } from '../../adapters/jsonl/decode-utf8'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { estimateUnits } from '../../core/tokens/estimate'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { MemoryDisk } from '../../testing/memory-disk'
import { memorySession, planSourceOf } from '../../testing/memory-session'
import { testWriter } from '../../testing/test-writer'
import { stateNow } from '../../testing/write-scenarios'
import { Lanes } from '../jobs/lanes'
import type { WrittenSummary } from '../summary/write-summary'
import type { FileStat, WriteFiles } from '../write/write-ports'
import { NO_HOOKS } from './compaction-hooks'
import { compactionOperations, indexPath } from './compaction-operations'
import type { CompactionPorts, CompactionRequest } from './compaction-ports'
import { planSession } from './plan-session'

const FILE = '/store/s1.jsonl'
const INDEX = '/store/sessions.json'
const NOW = Date.UTC(2026, 10, 2, 9)

let disk: MemoryDisk
beforeEach(() => {
  disk = new MemoryDisk()
})

function conversation(version = 3): TranscriptBuilder {
  const session = new TranscriptBuilder({ version })
  for (let i = 0; i < 8; i++) {
    session.user(`Please do part ${i}. ${'word '.repeat(80)}`)
    session.assistant(`Done ${i}. ${'word '.repeat(80)}`)
  }
  return session
}
const summary: WrittenSummary = {
  ...{
    text: 'What happened.',
    source: 'digest',
    by: null,
    calls: 0,
    inputTokens: 0,
    outputTokens: 0,
    notes: [],
  },
}
const policy = { ...DEFAULT_POLICY, compaction: { ...DEFAULT_POLICY.compaction, keepRecentTokens: 300 } }

/** What a compaction of a transcript at its end would write. */
async function operationsOf(
  text: string,
  over: Parameters<typeof memorySession>[1] = {},
  index: string | null = null,
  files: WriteFiles = disk,
) {
  await disk.put(FILE, text)
  if (index !== null) await disk.put(INDEX, index)
  const { store, transcript, reader, session } = await memorySession(text, over)
  const source = await planSourceOf({ reader, session })
  const plan = planSession(source, { policy, manual: true, source: 'digest', price: null, checkpoint: null })
  if (plan.kind !== 'plan') throw new Error(plan.why)
  const writer = testWriter(files, { now: () => NOW })
  const offered: boolean[] = []
  const ports: CompactionPorts = {
    ...{ writer, reader, lanes: new Lanes(1), hooks: NO_HOOKS, decode: decodeUtf8 },
    newEntryId: (isTaken) => {
      offered.push(isTaken('e1'), isTaken('new00001'))
      return 'new00001'
    },
    summary: { sizeOf: estimateUnits, mask: (words) => words, isSecret: () => false },
  }
  const request: CompactionRequest = {
    ...{ store, transcript, policy, chain: null, focus: null, actor: 'test', manual: true },
    wait: { waitMs: 0 },
  }
  const expected = await stateNow(writer, FILE)
  const outcome = { plan, summary, ledger: { read: ['a.ts'], modified: ['b.ts'] } }
  const made = await compactionOperations(ports, request, { source, expected }, outcome)
  const [record, entry] = made.operations
  if (record?.op !== 'append') throw new Error('no record')
  const line = new TextDecoder().decode(record.bytes)
  return { ...made, plan, record, entry, expected, line, offered }
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of bytes) parts.push(part)
  return Buffer.concat(parts).toString()
}
async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

describe('D10 the record of a compaction', () => {
  it('is behind the last entry, names what stays, and bears an id that no entry has', async () => {
    const { record, line, plan, recordId, expected, offered, operations } = await operationsOf(
      conversation().text(),
    )
    expect(operations).toHaveLength(1)
    expect(record).toMatchObject({ op: 'append', file: FILE, expected })
    expect(line.endsWith('}\n')).toBe(true)
    expect(JSON.parse(line)).toMatchObject({
      ...{ type: 'compaction', id: 'new00001', parentId: 'e16', summary: 'What happened.' },
      ...{ firstKeptEntryId: plan.firstKeptEntryId, tokensBefore: plan.recordTokensBefore },
      timestamp: '2026-11-02T09:00:00.000Z',
      details: { readFiles: ['a.ts'], modifiedFiles: ['b.ts'] },
    })
    expect(recordId).toBe('new00001')
    expect(offered).toEqual([true, false])
  })

  it('names a place where entries have no ids', async () => {
    const { lines } = conversation(1)
    const text = `${lines.map((one) => JSON.stringify({ ...JSON.parse(one), id: undefined, parentId: undefined })).join('\n')}\n`
    const { line, plan } = await operationsOf(text.replace('"type":"session"', '"type":"session","id":"s1"'))
    const place = Number(plan.firstKeptEntryId.slice(1))
    expect(JSON.parse(line)).toMatchObject({ type: 'compaction', firstKeptEntryIndex: place })
  })

  it('is looked at before: the context must begin with it and go on with what stays, in order', async () => {
    const text = conversation().text()
    const { record, line, plan } = await operationsOf(text)
    const judged = async (whole: string) => record.verify?.(() => bytesOf(whole))
    expect(await judged(text + line)).toBeNull()
    const wrong = 'the context after the compaction would not be the one that was planned'
    expect(await judged(text)).toBe(wrong)
    expect(await judged(text + line.replace(plan.firstKeptEntryId, 'e16')), 'one is missing').toBe(wrong)
    expect(await judged(text + line.replace(plan.firstKeptEntryId, 'e1')), 'too many').toBe(wrong)
    expect(
      await judged(text + line.replace('"parentId":"e16"', '"parentId":"e15"')),
      'the last one is missing',
    ).toBe(wrong)
    const [head, ...entries] = text
      .trimEnd()
      .split('\n')
      .map((one) => JSON.parse(one))
    const first = entries.findIndex(({ id }) => id === plan.firstKeptEntryId)
    // Only the entry before what stays is still a message: as many as planned, and no summary at their head.
    const hidden = entries.map((entry, i) => (i < first - 1 ? { ...entry, type: 'custom' } : entry))
    const headless = [head, ...hidden].map((entry) => JSON.stringify(entry)).join('\n')
    expect(await judged(`${headless}\n`), 'no record').toBe(wrong)
    const [header, ...rest] = text.trimEnd().split('\n')
    const doubled = [header, '{"type":"custom","id":"x","parentId":null}', ...rest].join('\n')
    expect(await judged(`${doubled}\n${line}`), 'other lines').toBe(wrong)
    const last = rest.at(-1) ?? ''
    const between = [header, ...rest.slice(0, -1), '{"type":"custom","id":"x","parentId":"e14"}', last]
    expect(await judged(`${between.join('\n')}\n${line}`), 'one other line').toBe(wrong)
    expect(await judged(`${header}\n`), 'nothing at all').toBe(wrong)
    const more = JSON.stringify({
      ...{ type: 'message', id: 'late', parentId: 'new00001', message: { role: 'user', content: 'x' } },
    })
    expect(await judged(`${text}${line}${more}\n`), 'one too many behind it').toBe(wrong)
  })
})

describe('D10 what stays', () => {
  it('is what enters the context: other entries among it are passed over', async () => {
    const session = conversation()
    session.entry('custom', { customType: 'note', data: {} })
    session.user('on')
    const { record, line } = await operationsOf(session.text())
    expect(await record.verify?.(() => bytesOf(session.text() + line))).toBeNull()
  })

  it('is known without a header too', async () => {
    const text = conversation().lines.slice(1).join('\n')
    const { line } = await operationsOf(`${text}\n`)
    expect(JSON.parse(line)).toMatchObject({ type: 'compaction' })
  })
})

describe('D26 the index of a store', () => {
  const entry = { sessionId: 's1', compactionCount: 2, totalTokens: 9, label: 'kept' }
  const indexOf = (own: unknown = entry) => ({ other: { sessionId: 'x' }, 'agent:main:main': own })
  const compacted = async (text: string, over: Parameters<typeof memorySession>[1] = {}) =>
    operationsOf(conversation().text(), over, text)

  it.each([0, 2, 4])(
    'gets the compaction of its session, and stays indented as it is: %i',
    async (indent) => {
      const { entry: written, plan } = await compacted(JSON.stringify(indexOf(), null, indent))
      if (written?.op !== 'replace') throw new Error('no index')
      expect(written).toMatchObject({ file: INDEX, expected: await stateNow(testWriter(disk), INDEX) })
      const text = await textOf(written.produce(() => bytesOf('')))
      const own = {
        ...entry,
        ...{ compactionCount: 3, updatedAt: NOW, totalTokensFresh: false },
        totalTokens: Math.round(plan.tokensAfter.value ?? 0),
      }
      expect(JSON.parse(text)).toEqual(indexOf(own))
      expect(text).toBe(JSON.stringify(JSON.parse(text), null, indent))
    },
  )

  it('is read whole, however long it is', async () => {
    const long = { ...indexOf(), more: 'größer ⚓ '.repeat(500) }
    const { entry: written } = await compacted(JSON.stringify(long))
    if (written?.op !== 'replace') throw new Error('no index')
    expect(JSON.parse(await textOf(written.produce(() => bytesOf(''))))).toMatchObject({ more: long.more })
  })

  it('is read in pieces that are good until the next one', async () => {
    const read: MemoryDisk['read'] = async function* (path, range) {
      const buffer = new Uint8Array(1024)
      for await (const piece of disk.read(path, range)) {
        buffer.set(piece)
        yield buffer.subarray(0, piece.length)
      }
    }
    const files = Object.assign(Object.create(disk), { read })
    const index = JSON.stringify({ ...indexOf(), more: 'quay '.repeat(50) })
    expect((await operationsOf(conversation().text(), {}, index, files)).operations).toHaveLength(2)
  })

  it.each<[string, (seen: FileStat) => FileStat | null, number]>([
    ['left alone where it is gone by then', () => null, 1],
    ['written up to 256 MiB', (seen) => ({ ...seen, size: 256 * 1024 * 1024 }), 2],
    ['left alone beyond', (seen) => ({ ...seen, size: 256 * 1024 * 1024 + 1 }), 1],
  ])('is %s', async (_what, later, count) => {
    let looks = 0
    const stat = async (path: string) => {
      const seen = await disk.stat(path)
      return seen === null || path !== INDEX || ++looks === 1 ? seen : later(seen)
    }
    const files = { ...disk, stat, folderOf: disk.folderOf, join: disk.join }
    expect(
      (await operationsOf(conversation().text(), {}, JSON.stringify(indexOf()), files)).operations,
    ).toHaveLength(count)
    expect(looks).toBeGreaterThan(1)
  })

  it.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['nothing of the session', '{"other":{}}'],
    ['no object of the session', JSON.stringify(indexOf('x'))],
    ['another session under its key', JSON.stringify(indexOf({ sessionId: 's2' }))],
  ])('is left alone where it holds %s', async (_what, text) => {
    expect((await compacted(text)).operations).toHaveLength(1)
  })

  it('is none where there is none, where the session has no key, and in stores of pi', async () => {
    expect((await operationsOf(conversation().text())).operations).toHaveLength(1)
    const text = JSON.stringify(indexOf())
    await disk.unlink(FILE)
    expect((await compacted(text, { transcript: { key: null } })).operations).toHaveLength(1)
    await disk.unlink(FILE)
    await disk.unlink(INDEX)
    expect((await compacted(text, { store: { kind: 'pi' } })).operations).toHaveLength(1)
    const { store, transcript } = await memorySession(conversation().text())
    expect(await indexPath({ files: disk }, { store, transcript })).toBe(INDEX)
    expect(await indexPath({ files: disk }, { store, transcript: { ...transcript, key: null } })).toBeNull()
    await disk.unlink(INDEX)
    expect(await indexPath({ files: disk }, { store, transcript })).toBeNull()
  })
})
