import { beforeEach, describe, expect, it } from 'vitest'
import { decodeUtf8 } from '../../adapters/jsonl/decode-utf8'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { COMPACTED_FILE, COMPACTION_POLICY, compactionWorld, tenTurns } from '../../testing/compaction-world'
import { MemoryDisk } from '../../testing/memory-disk'
import { memorySession } from '../../testing/memory-session'
import { scriptedSummarizer, soundSummary, standingClock } from '../../testing/scripted-summarizer'
import { type TestWriter, testWriter } from '../../testing/test-writer'
import { Lanes } from '../jobs/lanes'
import type { Summarizer } from '../summary/summarizer'
import { SummaryChain } from '../summary/summary-chain'
import type { LockOwner } from '../write/lock-ports'
import { compactSession, unfitReason } from './compact-session'
import type { CompactionPorts, CompactionRequest } from './compaction-ports'
import type { KeptSummary } from './kept-summary'

const FILE = COMPACTED_FILE
const chainOf = (...models: readonly Summarizer[]) => new SummaryChain(models, standingClock())
const answering = () => scriptedSummarizer('a/m', [soundSummary('Please do part 9')])
const OWNER: LockOwner = { pid: 7, since: null, command: null, via: 'run', evidence: 'x' }

let disk: MemoryDisk
let writer: TestWriter
let kept: Map<string, KeptSummary>
beforeEach(async () => {
  disk = new MemoryDisk()
  writer = testWriter(disk)
  kept = new Map()
  await disk.put(FILE, tenTurns().text())
})

async function compact(request: Partial<CompactionRequest> = {}, ports: Partial<CompactionPorts> = {}) {
  const made = await compactionWorld(disk, writer, kept)
  return compactSession({ ...made.ports, ...ports }, { ...made.request, ...request })
}
async function compacted(request: Partial<CompactionRequest> = {}, ports: Partial<CompactionPorts> = {}) {
  const result = await compact(request, ports)
  if (result.kind !== 'compacted') throw new Error(JSON.stringify(result))
  return result
}

/** Leaves the summary of a model that could not be written: the session is in use by then. */
async function leaveKept(request: Partial<CompactionRequest> = {}): Promise<KeptSummary> {
  let looks = 0
  const live = { find: async () => (++looks > 1 ? OWNER : null) }
  await compact({ chain: chainOf(answering()), ...request }, { writer: { ...writer, live } })
  const one = kept.get(FILE)
  if (one === undefined) throw new Error('nothing was kept')
  return one
}

describe('D12 a compaction goes on', () => {
  it('in its lane, and does not begin where it was stopped while it waited', async () => {
    const lanes = new Lanes(1)
    const stop = new AbortController()
    const steps: string[] = []
    const before = lanes.run(FILE, async () => stop.abort())
    const onStep = (step: string) => steps.push(step)
    expect(await compact({ signal: stop.signal, onStep }, { lanes })).toEqual({ kind: 'stopped' })
    expect(steps).toEqual([])
    await before
  })

  it('a fault is no refusal', async () => {
    const onAsk = () => {
      throw new Error('a defect')
    }
    await expect(compact({ chain: chainOf(answering()), onAsk })).rejects.toThrow('a defect')
  })

  it('with a look for damage first, where it can be searched', async () => {
    await disk.unlink(FILE)
    await disk.put(FILE, tenTurns().text().replace('\n', '\n{"torn\n'))
    const look = { files: disk, pieces: disk.read, decode: decodeUtf8, skeleton: () => null }
    const { steps, notes } = await compacted({}, { look })
    expect(steps.slice(0, 3)).toEqual(['lock', 'check', 'load'])
    expect(notes).toContainEqual(expect.stringContaining('damaged in 1 place'))
  })

  it('without anything that keeps summaries, and says nothing of it', async () => {
    const { notes, plan } = await compacted({ chain: chainOf(answering()) }, { kept: undefined })
    expect(notes).toEqual([])
    expect(plan.summary.source).toBe('model')
  })

  it('with a digest by plan where no model is asked', async () => {
    expect((await compacted()).plan.summary.source).toBe('digest')
  })

  it('its record names the files that were worked on', async () => {
    const session = new TranscriptBuilder()
    session.user(`Look at the quay. ${'word '.repeat(80)}`)
    const content = [{ type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'src/quay.ts' } }]
    session.assistant('', { fields: { content, stopReason: 'toolUse' } })
    session.result('c1', 'the quay')
    for (let i = 0; i < 8; i++) session.user(`Part ${i}. ${'word '.repeat(80)}`)
    await disk.unlink(FILE)
    await disk.put(FILE, session.text())
    await compacted()
    const record = JSON.parse((disk.text(FILE) ?? '').trimEnd().split('\n').at(-1) ?? '')
    expect(record.details).toMatchObject({ readFiles: ['src/quay.ts'] })
  })

  it('D13 writes under the locks that it has', async () => {
    const nested: (string | undefined)[] = []
    const acquire: TestWriter['locks']['acquire'] = async (file, options) => {
      nested.push(options.within?.lockFile)
      return writer.locks.acquire(file, options)
    }
    await compacted({}, { writer: { ...writer, locks: { ...writer.locks, acquire } } })
    expect(nested.slice(0, 3)).toEqual([undefined, undefined, `${FILE}.lock`])
  })

  it('is given up at once where the session is in use, and not tried again', async () => {
    let looks = 0
    const live = { find: async () => (++looks > 2 ? OWNER : null) }
    expect(await compact({}, { writer: { ...writer, live } })).toMatchObject({ refusal: { code: 'live' } })
    expect(looks).toBe(3)
  })

  it('is refused where its file has gone meanwhile', async () => {
    const gone: Summarizer = {
      name: 'a/m',
      summarize: async () => {
        await disk.unlink(FILE)
        return { ok: true, text: soundSummary('Please do part 9'), usage: null }
      },
    }
    const files = Object.assign(Object.create(disk), { realPath: async (path: string) => path })
    expect(await compact({ chain: chainOf(gone) }, { writer: { ...writer, files } })).toMatchObject({
      refusal: { code: 'missing' },
    })
  })
})

describe('D13 a summary that was kept', () => {
  it('is used for the cut that was looked at, and counted by what it makes of each chunk', async () => {
    const one = await leaveKept()
    const [first, second, ...rest] = one.plan.chunks
    if (first === undefined || second === undefined) throw new Error('too few chunks')
    const chunks = [{ ...first, action: 'drop' as const }, { ...second, action: 'prune' as const }, ...rest]
    kept.set(FILE, { ...one, plan: { ...one.plan, chunks } })
    const model = answering()
    const { receipt } = await compacted({ chain: chainOf(model), firstKept: one.plan.firstKeptEntryId })
    expect(model.asked).toEqual([])
    const summarised = rest.filter(({ action }) => action === 'summarise').length
    expect(receipt.summary).toMatchObject({ dropped: 1, pruned: 1, summarised })
  })

  it('for another policy is passed over, and a model is asked', async () => {
    await leaveKept()
    const compaction = { ...COMPACTION_POLICY.compaction, keepRecentTokens: 600 }
    const model = answering()
    await compacted({ chain: chainOf(model), policy: { ...COMPACTION_POLICY, compaction } })
    expect(model.asked.length).toBeGreaterThan(0)
  })
})

it('D12 a session of a runtime that is only read is not compacted', async () => {
  const made = await memorySession(tenTurns().text(), { store: { kind: 'claude-code' } })
  expect(unfitReason(made)).toMatch(/Claude Code’s/)
})
