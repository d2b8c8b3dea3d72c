import { beforeEach, describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { COMPACTED_FILE, COMPACTION_POLICY, compactionWorld, tenTurns } from '../../testing/compaction-world'
import { MemoryDisk } from '../../testing/memory-disk'
import { memorySession } from '../../testing/memory-session'
import { scriptedSummarizer, soundSummary, standingClock } from '../../testing/scripted-summarizer'
import { type TestWriter, testWriter } from '../../testing/test-writer'
import { Lanes } from '../jobs/lanes'
import type { Gateway } from '../openclaw/gateway-port'
import type { TranscriptState } from '../read/ports'
import type { Summarizer } from '../summary/summarizer'
import { SummaryChain } from '../summary/summary-chain'
import { Refused } from '../write/refusal'
import { compactorOf, type RunPorts, type RunRequest, runCompaction } from './run-compaction'

const gateway: Gateway = { compact: async () => ({ kind: 'stopped' }) }

async function session(era: 'jsonl' | 'sqlite', state: TranscriptState) {
  const text = new TranscriptBuilder().text()
  const { store, transcript } = await memorySession(text, { store: { era }, transcript: { state } })
  return { store, transcript, owner: null }
}

describe('D29 who compacts a session', () => {
  it.each([
    ['jsonl', gateway, 'plimsoll'],
    ['jsonl', null, 'plimsoll'],
    ['sqlite', gateway, 'gateway'],
    ['sqlite', null, null],
  ] as const)('D29 of a store of %s, gateway %o: %s', async (era, named, by) => {
    expect(compactorOf(await session(era, 'live'), named).by).toBe(by)
  })

  it('D29 no gateway is asked for an archive, since it would compact the live session of that key', async () => {
    const compactor = compactorOf(await session('sqlite', 'reset'), gateway)
    expect(compactor).toMatchObject({ by: null, why: expect.stringContaining('archived (reset)') })
  })

  it('D29 nor for a database of another runtime', async () => {
    const store = { kind: 'opencode', era: 'sqlite' } as const
    const other = await memorySession(new TranscriptBuilder().text(), { store })
    expect(compactorOf({ ...other, owner: null }, gateway)).toMatchObject({
      by: null,
      why: expect.stringContaining('OpenCode'),
    })
  })

  it('D29 nor for what another harness keeps', async () => {
    const owner = { harness: 'codex', session: null }
    expect(compactorOf({ ...(await session('sqlite', 'live')), owner }, gateway)).toMatchObject({
      by: null,
      owner,
    })
  })
})

describe('D27 a compaction that somebody asked for', () => {
  let disk: MemoryDisk
  let writer: TestWriter
  let reported: unknown[]

  beforeEach(async () => {
    disk = new MemoryDisk()
    writer = testWriter(disk)
    reported = []
    await disk.put(COMPACTED_FILE, tenTurns().text())
  })

  async function run(
    request: Partial<RunRequest> = {},
    { models = [], ...over }: Partial<Omit<RunPorts, 'models'>> & { models?: readonly Summarizer[] } = {},
  ) {
    const made = await compactionWorld(disk, writer, new Map())
    const { chain: _chain, manual: _manual, ...rest } = made.request
    const asked = {
      chainFor: () => (models.length === 0 ? null : new SummaryChain(models, standingClock())),
      prices: {},
    }
    return runCompaction(
      {
        ...{ reader: made.ports.reader, models: asked, gateway: null, gatewayLanes: new Lanes(1) },
        own: async () => made.ports,
        ...over,
      },
      {
        ...{ ...rest, owner: null, runsOn: { provider: null, model: null } },
        onAsk: (sent, who) => reported.push([sent, who]),
        onGateway: () => reported.push('gateway'),
        ...request,
      },
    )
  }
  const answering = () => scriptedSummarizer('a/m', [soundSummary('Please do part 9')])

  it('is by hand, by the model of the policy; who gets what is said before', async () => {
    const { by, ...done } = await run({}, { models: [answering(), scriptedSummarizer('b/m', ['x'])] })
    expect([by, done]).toMatchObject([
      'plimsoll',
      { modelFailed: false, result: { kind: 'compacted', summary: { by: 'a/m' } } },
    ])
    expect(reported).toEqual([
      [
        { requests: 2, messages: 15, tokens: expect.any(Number) },
        [
          { name: 'a/m', address: null },
          { name: 'b/m', address: null },
        ],
      ],
    ])
  })

  it('is made also where all of the session is recent', async () => {
    const compaction = { ...COMPACTION_POLICY.compaction, keepRecentTokens: 100_000 }
    const done = await run({ policy: { ...COMPACTION_POLICY, compaction } })
    expect(done).toMatchObject({ result: { kind: 'compacted' } })
  })

  it('has a digest where the model fails, and says so; none where a digest was asked for', async () => {
    const down = scriptedSummarizer('a/m', [{}])
    const failed = await run({}, { models: [down] })
    expect(failed).toMatchObject({ modelFailed: true, result: { summary: { source: 'digest' } } })
    await disk.unlink(COMPACTED_FILE)
    await disk.put(COMPACTED_FILE, tenTurns().text())
    const model = answering()
    const digest = await run({ digest: true }, { models: [model] })
    expect(digest).toMatchObject({ modelFailed: false, result: { summary: { source: 'digest' } } })
    expect(model.asked).toEqual([])
  })

  it('needs no listener', async () => {
    expect(await run({ onAsk: undefined, onGateway: undefined }, { models: [answering()] })).toMatchObject({
      result: { kind: 'compacted' },
    })
  })

  it('nothing to compact is no failure of a model', async () => {
    await run()
    expect(await run({}, { models: [answering()] })).toMatchObject({
      ...{ by: 'plimsoll', modelFailed: false, result: { kind: 'nothing' } },
    })
  })

  it('what keeps us from writing is a refusal; a fault of ours is none', async () => {
    const own = (error: Error) => () => Promise.reject(error)
    expect(await run({}, { own: own(new Refused('failed', 'No room.')) })).toEqual({
      by: 'plimsoll',
      result: { kind: 'refused', refusal: { code: 'failed', message: 'No room.' } },
      modelFailed: false,
    })
    await expect(run({}, { own: own(new Error('a defect')) })).rejects.toThrow('a defect')
  })

  it('D29 of a database is the gateway’s, which is said before; nothing is opened to write', async () => {
    const { request } = await compactionWorld(disk, writer, new Map())
    const keys: unknown[] = []
    const asked: Gateway = {
      compact: async ({ key, agent }) => {
        keys.push([key, agent, [...reported]])
        return { kind: 'answered', compacted: false, reason: 'too short' }
      },
    }
    const own = () => Promise.reject(new Error('opened'))
    const store = { ...request.store, era: 'sqlite' } as const
    expect(await run({ store }, { gateway: asked, own })).toEqual({
      by: 'gateway',
      result: { kind: 'nothing', reason: 'too short' },
    })
    expect(keys).toEqual([['agent:main:main', 'main', ['gateway']]])
    expect(await run({ store, onGateway: undefined }, { gateway: asked, own })).toMatchObject({
      by: 'gateway',
    })
    expect(await run({ store }, { own })).toMatchObject({ by: null, owner: null })
    const owner = { harness: 'codex', session: 'c1' }
    expect(await run({ owner }, { own })).toMatchObject({ by: null, owner })
    expect(reported).toEqual(['gateway'])
  })
})
