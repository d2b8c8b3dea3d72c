import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { discoverStores } from '../adapters/discovery/discover'
import { decodeUtf8 } from '../adapters/jsonl/decode-utf8'
import { createStoreReader } from '../adapters/stores/store-reader'
import { nodeWriteFiles } from '../adapters/write/node-write-files'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { Policy } from '../core/policy/policy'
import { compactSession } from '../engine/compaction/compact-session'
import { NO_HOOKS } from '../engine/compaction/compaction-hooks'
import type { CompactionPorts, CompactionRequest } from '../engine/compaction/compaction-ports'
import { PendingSummaries } from '../engine/compaction/pending-summaries'
import { awaitsSummary, retrySummary } from '../engine/compaction/retry-summary'
import { Lanes } from '../engine/jobs/lanes'
import { inspectSession } from '../engine/read/inspect-session'
import { SummaryChain } from '../engine/summary/summary-chain'
import type { Receipt } from '../engine/write/receipt'
import { undoWrite } from '../engine/write/undo-write'
import { writePartsSession } from '../testing/builders/parts-session'
import { scriptedSummarizer, soundSummary, standingClock } from '../testing/scripted-summarizer'
import { temporaryFolder } from '../testing/store-folder'
import { testWriter } from '../testing/test-writer'
import { SUMMARY_PORTS } from './compaction'

let folder: string
let file: string
beforeEach(() => {
  folder = temporaryFolder()
  file = writePartsSession(folder)
})

const policy: Policy = {
  ...DEFAULT_POLICY,
  compaction: { ...DEFAULT_POLICY.compaction, keepRecentTokens: 800, retries: 1, mode: 'default' },
  summary: { ...DEFAULT_POLICY.summary, rolling: { ...DEFAULT_POLICY.summary.rolling, enabled: false } },
}
const FILLED = soundSummary('do the part, by a model')

/** A model that is down for its first request, and then answers. */
function recovering() {
  const model = scriptedSummarizer('a/m', [{}, FILLED])
  return { model, chain: new SummaryChain([model], standingClock(Date.now())) }
}

async function session(more: Partial<CompactionRequest> = {}) {
  const { stores } = await discoverStores({ env: {}, home: folder, only: [join(folder, 'store')] })
  const [store] = stores
  if (store === undefined) throw new Error('no store')
  const reader = createStoreReader({ lastLine: 'take-whole' })
  const writer = testWriter(nodeWriteFiles, { home: join(folder, 'home') })
  let count = 0
  const ports: CompactionPorts = {
    writer,
    reader,
    lanes: new Lanes(2),
    hooks: NO_HOOKS,
    decode: decodeUtf8,
    newEntryId: (isTaken) => {
      let id: string
      do id = `f000000${++count}`
      while (isTaken(id))
      return id
    },
    summary: SUMMARY_PORTS,
  }
  for await (const transcript of reader.list(store)) {
    const base = { store, transcript, policy, chain: null, focus: null, actor: 'test', manual: true }
    return { ports, writer, request: { ...base, wait: { waitMs: 0 }, ...more } }
  }
  throw new Error('no transcript')
}

/** Compacts while the model is down. */
async function compactedByDigest(
  chain: SummaryChain,
  more: Partial<CompactionRequest> = {},
): Promise<Receipt> {
  const { ports, request } = await session({ chain, ...more })
  const result = await compactSession(ports, request)
  if (result.kind !== 'compacted') throw new Error(JSON.stringify(result))
  return result.receipt
}

async function retried(pending: Receipt, chain: SummaryChain, more: Partial<CompactionRequest> = {}) {
  const { ports, request } = await session({ chain, ...more })
  return retrySummary(ports, request, pending)
}

const lines = () => readFileSync(file, 'utf8').trimEnd().split('\n')
const summaryIn = (line = '') => (JSON.parse(line) as { summary: string }).summary

function addLine(entry: object): void {
  const parentId = (JSON.parse(lines().at(-1) ?? '{}') as { id: string }).id
  appendFileSync(file, `${JSON.stringify({ parentId, timestamp: new Date().toISOString(), ...entry })}\n`)
}

describe('D25: a summary that no model wrote', () => {
  test('is pending in its receipt, and filled when a model answers; nothing else changes', async () => {
    const { chain } = recovering()
    const pending = await compactedByDigest(chain)
    expect(pending.summary).toMatchObject({ pending: true, source: 'digest' })
    addLine({ type: 'message', id: 'late0001', message: { role: 'user', content: 'Go on.' } })
    const before = lines()
    const done = await retried(pending, chain)
    if (done.kind !== 'filled') throw new Error(JSON.stringify(done))
    const after = lines()
    const changed = after.flatMap((line, i) => (line === before[i] ? [] : [i]))
    expect(changed).toEqual([before.length - 2])
    const [place = 0] = changed
    expect(summaryIn(after[place])).toContain('by a model')
    const rest = (line = '') => ({ ...(JSON.parse(line) as object), summary: '' })
    expect(rest(after[place])).toEqual(rest(before[place]))
    expect(done.receipt).toMatchObject({ verified: true, summary: { fills: pending.id, model: 'a/m' } })
    const { writer } = await session()
    await undoWrite(writer, { receipt: done.receipt.id, actor: 'test', wait: { waitMs: 0 } })
    expect(lines()).toEqual(before)
  })

  test('is on the list until it is filled, and again when that is taken back', async () => {
    const { chain } = recovering()
    const pending = await compactedByDigest(chain)
    const { writer } = await session()
    const list = async () => (await new PendingSummaries(writer.receipts).list()).map(({ id }) => id)
    expect(await list()).toEqual([pending.id])
    const done = await retried(pending, chain)
    if (done.kind !== 'filled') throw new Error(JSON.stringify(done))
    expect(await list()).toEqual([])
    await undoWrite(writer, { receipt: done.receipt.id, actor: 'test', wait: { waitMs: 0 } })
    expect(await list()).toEqual([pending.id])
    await undoWrite(writer, { receipt: pending.id, actor: 'test', wait: { waitMs: 0 } })
    expect(await list()).toEqual([])
  })

  test('stays a digest while the model is down, byte for byte', async () => {
    const chain = new SummaryChain([scriptedSummarizer('a/m', [{}])], standingClock(Date.now()))
    const pending = await compactedByDigest(chain)
    const before = readFileSync(file)
    expect(await retried(pending, chain)).toEqual({ kind: 'waiting', notes: ['a/m is down.'] })
    expect(readFileSync(file)).toEqual(before)
  })

  test('is left alone once the session was compacted again, reset, or would be cut elsewhere', async () => {
    const { chain, model } = recovering()
    const pending = await compactedByDigest(chain)
    const tighter = { ...policy, compaction: { ...policy.compaction, keepRecentTokens: 0 } }
    expect(await retried(pending, chain, { policy: tighter })).toMatchObject({ kind: 'superseded' })
    const awaited = async () => {
      const { ports, request } = await session()
      const { facts } = await inspectSession(ports.reader, request.store, request.transcript)
      return awaitsSummary(facts, pending)
    }
    expect(await awaited()).toBe(true)
    const { firstKeptEntryId } = pending.summary
    addLine({ type: 'compaction', id: 'other001', summary: 'S', tokensBefore: 1, firstKeptEntryId })
    const before = readFileSync(file)
    expect(await awaited()).toBe(false)
    expect(await retried(pending, chain)).toMatchObject({ kind: 'superseded' })
    expect(readFileSync(file)).toEqual(before)
    expect(model.asked).toHaveLength(1)
  })

  test('is not pending without a model, nor with a waiting time of 0', async () => {
    const { ports, request } = await session()
    const plain = await compactSession(ports, request)
    expect(plain).toMatchObject({ receipt: { summary: { pending: false } } })
    writeFileSync(file, `${lines().slice(0, -1).join('\n')}\n`)
    const never = { ...policy, summary: { ...policy.summary, retryMs: 0 } }
    expect((await compactedByDigest(recovering().chain, { policy: never })).summary.pending).toBe(false)
  })
})
