import { beforeEach, describe, expect, it } from 'vitest'
import { COMPACTED_FILE, COMPACTION_POLICY, compactionWorld, tenTurns } from '../../testing/compaction-world'
import { MemoryDisk } from '../../testing/memory-disk'
import { scriptedSummarizer, soundSummary, standingClock } from '../../testing/scripted-summarizer'
import { type TestWriter, testWriter } from '../../testing/test-writer'
import { Lanes } from '../jobs/lanes'
import type { Summarizer } from '../summary/summarizer'
import { SummaryChain } from '../summary/summary-chain'
import type { Receipt } from '../write/receipt'
import { compactSession } from './compact-session'
import type { CompactionPorts, CompactionRequest } from './compaction-ports'
import { retrySummary } from './retry-summary'

const FILE = COMPACTED_FILE
const NOW = Date.UTC(2026, 10, 2, 9)
const sound = soundSummary('Please do part 9')
const chainOf = (...models: readonly Summarizer[]) => new SummaryChain(models, standingClock(NOW))
const answering = (work: () => unknown = () => undefined): Summarizer => ({
  name: 'b/m',
  summarize: async () => {
    await work()
    return { ok: true, text: sound, usage: null }
  },
})

let disk: MemoryDisk
let writer: TestWriter
let pending: Receipt
beforeEach(async () => {
  disk = new MemoryDisk()
  writer = testWriter(disk, { now: () => NOW })
  await disk.put(FILE, tenTurns().text())
  const { ports, request } = await compactionWorld(disk, writer, new Map())
  const done = await compactSession(ports, { ...request, chain: chainOf(scriptedSummarizer('a/m', [{}])) })
  if (done.kind !== 'compacted') throw new Error(JSON.stringify(done))
  pending = done.receipt
})

async function retry(request: Partial<CompactionRequest> = {}, ports: Partial<CompactionPorts> = {}) {
  const made = await compactionWorld(disk, writer, new Map())
  return retrySummary(
    { ...made.ports, ...ports },
    { ...made.request, chain: chainOf(answering()), ...request },
    pending,
  )
}
const append = async (line: string) => (await disk.openEnd(FILE)).write(new TextEncoder().encode(`${line}\n`))

describe('D25 asking again for a summary that no model wrote', () => {
  it('waits in the lane of its session, and does not begin where it was stopped meanwhile', async () => {
    const lanes = new Lanes(1)
    const stop = new AbortController()
    const steps: string[] = []
    const before = lanes.run(FILE, async () => stop.abort())
    const onStep = (step: string) => steps.push(step)
    expect(await retry({ signal: stop.signal, onStep }, { lanes })).toEqual({ kind: 'stopped' })
    expect(steps).toEqual([])
    await before
  })

  it('a fault is no refusal, and a session that is not compacted here is one', async () => {
    const onAsk = () => {
      throw new Error('a defect')
    }
    await expect(retry({ onAsk })).rejects.toThrow('a defect')
    const { request } = await compactionWorld(disk, writer, new Map())
    const transcript = { ...request.transcript, state: 'deleted' } as const
    expect(await retry({ transcript })).toMatchObject({ kind: 'refused', refusal: { code: 'not-supported' } })
  })

  it('its locks together last as long as a model may take, and two minutes', async () => {
    const most: (number | undefined)[] = []
    const acquire: TestWriter['locks']['acquire'] = async (file, options) => {
      if (options.within === undefined) most.push(options.maxLockMs)
      return writer.locks.acquire(file, options)
    }
    await retry({}, { writer: { ...writer, locks: { ...writer.locks, acquire } } })
    const all = COMPACTION_POLICY.compaction.timeoutMs + 120_000
    expect(most).toEqual([all, all])
  })

  it('is refused where the file has gone by then, and where another process works with the session', async () => {
    const live = {
      find: async () => ({ pid: 7, since: null, command: null, via: 'run', evidence: 'x' }) as const,
    }
    expect(await retry({}, { writer: { ...writer, live } })).toMatchObject({
      ...{ kind: 'refused', refusal: { code: 'live' } },
    })
    await disk.unlink(FILE)
    const files = Object.assign(Object.create(disk), { realPath: async (path: string) => path })
    expect(await retry({}, { writer: { ...writer, files } })).toMatchObject({
      ...{ kind: 'refused', refusal: { code: 'missing' } },
    })
  })

  it('is planned as by hand: also where all of the session was recent', async () => {
    await disk.unlink(FILE)
    await disk.put(FILE, tenTurns().text())
    const compaction = { ...COMPACTION_POLICY.compaction, keepRecentTokens: 100_000 }
    const policy = { ...COMPACTION_POLICY, compaction }
    const { ports, request } = await compactionWorld(disk, writer, new Map())
    const failing = chainOf(scriptedSummarizer('a/m', [{}]))
    const done = await compactSession(ports, { ...request, policy, chain: failing })
    if (done.kind !== 'compacted') throw new Error(JSON.stringify(done))
    pending = done.receipt
    expect(await retry({ policy })).toMatchObject({ kind: 'filled' })
  })

  it('is left where the session was reset while the model thought', async () => {
    const resetting = answering(() => append('{"type":"reset","id":"x","parentId":"new00001"}'))
    expect(await retry({ chain: chainOf(resetting) })).toMatchObject({ kind: 'superseded' })
    expect(disk.text(FILE)).not.toContain(sound.slice(0, 20))
  })

  it('is done where a stop comes after it was written, and where nothing keeps summaries', async () => {
    const stop = new AbortController()
    const rows = { put: async () => stop.abort() }
    const done = await retry({ signal: stop.signal }, { writer: { ...writer, rows }, kept: undefined })
    expect(done).toMatchObject({ kind: 'filled', by: 'b/m' })
  })

  it('changes the one line however the file is read', async () => {
    await append('{"type":"custom","id":"late","parentId":"new00001"}')
    const before = disk.text(FILE) ?? ''
    const start = before.slice(0, before.indexOf('{"type":"compaction"')).length
    const ends = before.indexOf('\n', start)
    for (const cuts of [
      [start, ends],
      [start - 1, ends + 1],
      [start + 9, ends - 9],
    ]) {
      const read: MemoryDisk['read'] = async function* (path, range) {
        if (path !== FILE || range !== undefined) return yield* disk.read(path, range)
        const bytes = new TextEncoder().encode(disk.text(FILE) ?? '')
        const [from = 0, to = 0] = cuts
        for (const piece of [bytes.slice(0, from), bytes.slice(from, to), bytes.slice(to)]) yield piece
      }
      const files = Object.assign(Object.create(disk), { read })
      expect(await retry({}, { writer: { ...writer, files } })).toMatchObject({ kind: 'filled' })
      const [old, now] = [before.split('\n'), (disk.text(FILE) ?? '').split('\n')]
      expect(now.length).toBe(old.length)
      expect(now.filter((line, i) => line !== old[i])).toEqual([
        expect.stringContaining('"type":"compaction"'),
      ])
      await disk.unlink(FILE)
      await disk.put(FILE, before)
    }
  })
})
