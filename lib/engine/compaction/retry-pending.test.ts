import { beforeEach, describe, expect, it } from 'vitest'
import type { Policy } from '../../core/policy/policy'
import { COMPACTED_FILE, COMPACTION_POLICY, compactionWorld, tenTurns } from '../../testing/compaction-world'
import { MemoryDisk } from '../../testing/memory-disk'
import { scriptedSummarizer, soundSummary, standingClock } from '../../testing/scripted-summarizer'
import { type TestWriter, testWriter } from '../../testing/test-writer'
import { SourceProblem } from '../read/source-problem'
import type { Summarizer } from '../summary/summarizer'
import { SummaryChain } from '../summary/summary-chain'
import type { Receipt } from '../write/receipt'
import { Refused } from '../write/refusal'
import { compactSession } from './compact-session'
import type { KeptSummary } from './kept-summary'
import { type Retried, type RetryOptions, type RetryPorts, retryPending } from './retry-pending'

const NOW = Date.UTC(2026, 10, 2, 9)
const chainOf = (...models: readonly Summarizer[]) => new SummaryChain(models, standingClock(NOW))
const answering = () => scriptedSummarizer('b/m', [soundSummary('Please do part 9')])

let disk: MemoryDisk
let writer: TestWriter
let kept: Map<string, KeptSummary>
let receipt: Receipt
let asked: Parameters<RetryOptions['onAsk']>[]

/** A session whose digest waits for a model. */
beforeEach(async () => {
  disk = new MemoryDisk()
  writer = testWriter(disk, { now: () => NOW })
  kept = new Map()
  asked = []
  await disk.put(COMPACTED_FILE, tenTurns().text())
  const { ports, request } = await compactionWorld(disk, writer, kept)
  const chain = chainOf(scriptedSummarizer('a/m', [{}]))
  const done = await compactSession(ports, { ...request, chain })
  if (done.kind !== 'compacted') throw new Error(JSON.stringify(done))
  receipt = done.receipt
})

type World = {
  readonly chain?: SummaryChain | null
  /** What the session's own model would be asked with, if the policy let it be. */
  readonly main?: SummaryChain
  readonly policy?: Policy
  readonly pending?: readonly Receipt[]
  readonly place?: RetryPorts['place']
}

async function retry(
  { chain = null, main, policy = COMPACTION_POLICY, pending = [receipt], place }: World = {},
  options: Partial<RetryOptions> = {},
): Promise<Retried[]> {
  const { ports, request } = await compactionWorld(disk, writer, kept)
  const { store, transcript } = request
  const models = {
    chainFor: ({ summary }: Policy) => chain ?? (summary.fallbackToMain ? (main ?? null) : null),
    prices: {},
  }
  const found: Retried[] = []
  const all = retryPending(
    {
      pending: { list: async () => [...pending] },
      reads: { ...ports, models },
      place: place ?? (async () => ({ store, transcript })),
      policyOf: async () => policy,
      own: async () => ports,
    },
    {
      ...{ actor: 'serve', signal: new AbortController().signal, within: null },
      onAsk: (...given) => asked.push(given),
      ...options,
    },
  )
  for await (const one of all) found.push(one)
  return found
}
const kinds = (found: readonly Retried[]) => found.map(({ result }) => result.kind)
const withRetry = (retryMs: number): Policy => ({
  ...COMPACTION_POLICY,
  summary: { ...COMPACTION_POLICY.summary, retryMs },
})

describe('D25 summaries that no model wrote are asked for again', () => {
  it('and filled; who is asked is said before, with what it gets', async () => {
    const found = await retry({ chain: chainOf(answering()) })
    expect(found).toMatchObject([{ receipt: { id: receipt.id }, result: { kind: 'filled', by: 'b/m' } }])
    expect(asked).toEqual([
      [
        'agent:main:main',
        { requests: 2, messages: 15, tokens: expect.any(Number) },
        [{ name: 'b/m', address: null }],
      ],
    ])
    const [result] = found.map((one) => one.result)
    expect(result).toMatchObject({ receipt: { actor: 'serve' } })
    expect(disk.text(COMPACTED_FILE)).toContain('Please do part 9\\n\\n')
  })

  it('one that is busy is not waited for', async () => {
    const busy = { pid: 7, since: null, command: null, via: 'lock', evidence: 'x' } as const
    const plain = writer.locks
    const waits: number[] = []
    writer = {
      ...writer,
      locks: {
        ...plain,
        acquire: async (_file, { waitMs }) => {
          waits.push(waitMs)
          return { held: false, reason: 'busy', owner: busy }
        },
      },
    }
    const found = await retry({ chain: chainOf(answering()) })
    expect(found).toMatchObject([{ result: { kind: 'refused', refusal: { code: 'locked' } } }])
    expect(waits).toEqual([0])
  })

  it('only when it is time, and never where the policy asks for none', async () => {
    const chain = chainOf(answering())
    const times: number[] = []
    const dueAt = (is: boolean) => (_receipt: Receipt, retryMs: number) => {
      times.push(retryMs)
      return is
    }
    const policy = withRetry(60_000)
    expect(await retry({ chain, policy }, { dueAt: dueAt(false) })).toEqual([])
    expect(times).toEqual([60_000])
    expect(await retry({ chain, policy: withRetry(0) }, { dueAt: dueAt(true) })).toEqual([])
    expect(asked).toEqual([])
    expect(kinds(await retry({ chain, policy }, { dueAt: dueAt(true) }))).toEqual(['filled'])
  })

  it('whoever asks by hand asks for all, whatever the policy says of times', async () => {
    expect(kinds(await retry({ chain: chainOf(answering()), policy: withRetry(0) }))).toEqual(['filled'])
  })

  it('only in the stores that are meant', async () => {
    const chain = chainOf(answering())
    expect(await retry({ chain }, { within: ['/elsewhere'] })).toEqual([])
    expect(kinds(await retry({ chain }, { within: ['/elsewhere', '/store'] }))).toEqual(['filled'])
  })

  it('not where the receipt names no transcript', async () => {
    const files = receipt.files.map((file) => ({ ...file, path: '/store/sessions.json' }))
    expect(await retry({ chain: chainOf(answering()), pending: [{ ...receipt, files }] })).toEqual([])
  })

  it('a dry run says who would be asked and what would be sent, and changes nothing', async () => {
    const model = answering()
    const before = disk.text(COMPACTED_FILE)
    const found = await retry({ chain: chainOf(model) }, { dryRun: true })
    expect(found).toMatchObject([
      {
        result: {
          kind: 'preview',
          asked: [{ name: 'b/m', address: null }],
          sent: { requests: 2, messages: 15 },
        },
      },
    ])
    expect([model.asked, asked]).toEqual([[], []])
    expect(disk.text(COMPACTED_FILE)).toBe(before)
  })

  it('where the session was reset since, nothing would be sent', async () => {
    const reset = '{"type":"reset","id":"x","parentId":"new00001"}\n'
    await (await disk.openEnd(COMPACTED_FILE)).write(new TextEncoder().encode(reset))
    expect(await retry({ chain: chainOf(answering()) }, { dryRun: true })).toMatchObject([
      { result: { kind: 'preview', sent: null } },
    ])
    expect(kinds(await retry({ chain: chainOf(answering()) }))).toEqual(['superseded'])
  })

  it('where no model may be asked, it is said which could be', async () => {
    expect(await retry()).toMatchObject([{ result: { kind: 'no-model', couldAsk: null } }])
    const main = chainOf(scriptedSummarizer('own/model', ['x']))
    const barred = { ...COMPACTION_POLICY, summary: { ...COMPACTION_POLICY.summary, fallbackToMain: false } }
    expect(await retry({ main, policy: barred })).toMatchObject([
      { result: { kind: 'no-model', couldAsk: { name: 'own/model' } } },
    ])
  })

  it('one that is refused, or cannot be read, does not keep the others waiting', async () => {
    const { request } = await compactionWorld(disk, writer, kept)
    const { store, transcript } = request
    const faults = [
      new Refused('missing', 'No store has it.'),
      new SourceProblem('missing', '/store/gone.jsonl', 'It is not there.'),
    ]
    const place = async () => {
      const fault = faults.shift()
      if (fault !== undefined) throw fault
      return { store, transcript }
    }
    const pending = [receipt, receipt, receipt]
    expect(await retry({ chain: chainOf(answering()), pending, place })).toMatchObject([
      { result: { kind: 'refused', refusal: { code: 'missing', message: 'No store has it.' } } },
      { result: { kind: 'refused', refusal: { code: 'missing', message: 'It is not there.' } } },
      { result: { kind: 'filled' } },
    ])
  })

  it('a fault of ours is not swallowed', async () => {
    const place = () => Promise.reject(new Error('a defect'))
    await expect(retry({ chain: chainOf(answering()), place })).rejects.toThrow('a defect')
  })
})
