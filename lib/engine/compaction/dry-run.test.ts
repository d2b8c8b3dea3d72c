import { beforeEach, describe, expect, it } from 'vitest'
import type { Policy } from '../../core/policy/policy'
import { COMPACTED_FILE, COMPACTION_POLICY, compactionWorld, tenTurns } from '../../testing/compaction-world'
import { MemoryDisk } from '../../testing/memory-disk'
import { planSourceOf } from '../../testing/memory-session'
import { scriptedSummarizer, soundSummary, standingClock } from '../../testing/scripted-summarizer'
import { type TestWriter, testWriter } from '../../testing/test-writer'
import { inspectSession } from '../read/inspect-session'
import type { Summarizer } from '../summary/summarizer'
import { SummaryChain } from '../summary/summary-chain'
import { compactSession } from './compact-session'
import type { DryRunPorts } from './compaction-ports'
import { type DryRunRequest, dryRun, previewDigest } from './dry-run'
import type { KeptSummary } from './kept-summary'
import type { CheckpointMemory } from './stored-checkpoint'

const NOW = Date.UTC(2026, 10, 2, 9)
const sound = soundSummary('Please do part 9')
const chainOf = (...models: readonly Summarizer[]) => new SummaryChain(models, standingClock(NOW))
const model = () => scriptedSummarizer('a/m', [sound])

let disk: MemoryDisk
let writer: TestWriter
let kept: Map<string, KeptSummary>

beforeEach(async () => {
  disk = new MemoryDisk()
  writer = testWriter(disk, { now: () => NOW })
  kept = new Map()
  await disk.put(COMPACTED_FILE, tenTurns().text())
})

type World = {
  /** The models that the policy names; `main`: the session's own, asked only where the policy lets it be. */
  readonly named?: readonly Summarizer[]
  readonly main?: Summarizer
  readonly memories?: readonly CheckpointMemory[]
  readonly era?: 'sqlite'
  readonly ports?: Partial<DryRunPorts>
}

async function open({ named = [], main, memories = [], era, ports = {} }: World = {}) {
  const made = await compactionWorld(disk, writer, kept)
  const store = { ...made.request.store, ...(era === undefined ? {} : { era }) }
  const { reader } = made.ports
  const session = await inspectSession(reader, store, made.request.transcript, { sizes: true })
  const models = {
    chainFor: ({ summary }: Policy) => {
      const all = [
        ...(summary.model === '' && summary.url === '' ? [] : named),
        ...(summary.fallbackToMain && main !== undefined ? [main] : []),
      ]
      return all.length === 0 ? null : chainOf(...all)
    },
    prices: { 'a/m': { input: 3, output: 15 } },
  }
  const all: DryRunPorts = { ...made.ports, models, memories, ...ports }
  return { made, all, source: await planSourceOf({ reader, session }) }
}

const policyWith = (summary: Partial<Policy['summary']>): Policy => ({
  ...COMPACTION_POLICY,
  summary: { ...COMPACTION_POLICY.summary, model: 'a/m', fallbackToMain: false, ...summary },
})
const asks = (over: Partial<DryRunRequest> = {}): DryRunRequest => ({
  ...{ policy: policyWith({}), focus: null, digest: false },
  ...over,
})

async function planned(world: World, over: Partial<DryRunRequest> = {}) {
  const { all, source } = await open(world)
  const run = await dryRun(all, source, asks(over))
  if (run.plan.kind !== 'plan') throw new Error(run.plan.why)
  return { run, plan: run.plan, all, source }
}

describe('X10 a dry run says what a compaction would do', () => {
  it('by the model of the policy, at its price, and asks no model', async () => {
    const asked = model()
    const before = disk.text(COMPACTED_FILE)
    const { run, plan } = await planned({ named: [asked] })
    expect(run.asked).toEqual([{ name: 'a/m', address: null }])
    expect(plan.summary.source).toBe('model')
    const { inputTokens, outputTokens, usd } = plan.cost
    expect(usd).toBeCloseTo((inputTokens * 3 + outputTokens * 15) / 1e6, 6)
    expect(usd).toBeGreaterThan(0)
    expect(asked.asked).toEqual([])
    expect(disk.text(COMPACTED_FILE)).toBe(before)
    expect([run.covering, run.notes, run.couldAsk]).toEqual([null, [], null])
  })

  it('is asked for by hand: also where all of the session is recent', async () => {
    const compaction = { ...COMPACTION_POLICY.compaction, keepRecentTokens: 100_000 }
    const { plan } = await planned({}, { policy: { ...policyWith({}), compaction } })
    expect(plan.chunks.some(({ action }) => action !== 'keep')).toBe(true)
  })

  it('is a digest, at no price, where none was named or a digest was asked for', async () => {
    for (const [world, over] of [
      [{}, {}],
      [{ named: [model()] }, { digest: true }],
    ] as const) {
      const { plan } = await planned(world, over)
      expect(plan.summary.source).toBe('digest')
      expect(plan.cost).toMatchObject({ calls: 0 })
      expect(plan.cost.usd ?? 0).toBe(0)
    }
  })

  it('names the session’s own model where only the policy keeps it from being asked', async () => {
    const main = scriptedSummarizer('own/m', [sound])
    const { run } = await planned({ named: [model()], main })
    expect([run.asked.map(({ name }) => name), run.couldAsk?.name]).toEqual([['a/m'], 'own/m'])
    const allowed = await planned(
      { named: [model()], main },
      { policy: policyWith({ fallbackToMain: true }) },
    )
    expect([allowed.run.asked.map(({ name }) => name), allowed.run.couldAsk]).toEqual([
      ['a/m', 'own/m'],
      null,
    ])
    const same = await planned({ named: [model()], main: model() })
    expect(same.run.couldAsk, 'it is asked already').toBeNull()
  })

  it('takes the summary that a model was paid for before, unless a digest was asked for', async () => {
    const { made } = await open()
    const busy = { pid: 7, since: null, command: null, via: 'lock', evidence: 'x' } as const
    let taken = 0
    const locks: TestWriter['locks'] = {
      ...writer.locks,
      acquire: async (file, options) =>
        ++taken > 1 ? { held: false, reason: 'busy', owner: busy } : writer.locks.acquire(file, options),
    }
    const policy = policyWith({})
    const ports = { ...made.ports, writer: { ...writer, locks } }
    await compactSession(ports, { ...made.request, policy, chain: chainOf(model()) })
    expect(kept.size).toBe(1)
    const { plan, run } = await planned({ named: [model()] })
    expect(plan.warnings).toContainEqual({ code: 'kept-summary', message: expect.stringContaining('a/m') })
    expect(plan.cost).toMatchObject({ calls: 0, usd: 0 })
    expect(run.covering).toBeNull()
    const looked: string[] = []
    const gone = {
      kept: {
        ...made.ports.kept,
        get: async (file: string) => {
          looked.push(file)
          return null
        },
      },
      writer: { files: { realPath: () => Promise.reject(new Error('gone')) } },
    } as unknown as Partial<DryRunPorts>
    for (const [world, over] of [
      [{ named: [model()] }, { digest: true }],
      [{ named: [model()] }, { focus: 'berths' }],
      [{}, {}],
      [{ named: [model()], era: 'sqlite' }, {}],
      [{ named: [model()], ports: { kept: undefined } }, {}],
      [{ named: [model()], ports: gone }, {}],
    ] as const) {
      const other = await planned(world, over)
      expect(other.plan.warnings.map(({ code }) => code)).not.toContain('kept-summary')
    }
    expect(looked, 'not without a file').toEqual([])
  })

  it('takes what an agent noted of the session, and says which memory could not be read', async () => {
    const broken: CheckpointMemory = {
      load: async () => null,
      checkpoints: () => Promise.reject(new Error('no memory')),
    }
    const noted: CheckpointMemory = {
      load: async () =>
        ({ rolling: { text: 'Parts are done.', tokens: 9, covered: 16, key: 'e16' } }) as never,
      checkpoints: async () => [],
    }
    const checkpoint = { ...COMPACTION_POLICY.summary.checkpoint, coverage: 0.2 }
    const policy = policyWith({ checkpoint })
    const { run } = await planned({ named: [model()], memories: [broken, noted] }, { policy })
    expect(run.covering).toMatchObject({ text: 'Parts are done.', uptoSeq: 16 })
    expect(run.notes).toEqual(['no memory'])
    expect(run.plan).toMatchObject({ summary: { source: 'checkpoint' } })
    const { run: digest } = await planned({ memories: [noted] }, { digest: true })
    expect(digest.covering).toBeNull()
  })

  it('the same request of the same session gives the plan that was made before; another one a new plan', async () => {
    const { all, source } = await open({ named: [model()] })
    const first = await dryRun(all, source, asks())
    expect((await dryRun(all, source, asks())).plan).toBe(first.plan)
    const keepRecentTokens = 900
    const compaction = { ...COMPACTION_POLICY.compaction, keepRecentTokens }
    const other = await dryRun(all, source, asks({ policy: { ...policyWith({}), compaction } }))
    expect(other.plan).not.toBe(first.plan)
    const [fresh, elsewhere] = [await dryRun(all, source, asks()), await open({ named: [model()] })]
    expect(fresh.plan).toEqual(first.plan)
    expect((await dryRun(elsewhere.all, elsewhere.source, asks())).plan).not.toBe(first.plan)
  })
})

describe('X10 the summary that would be left if no model answered', () => {
  it('is what a compaction without a model writes', async () => {
    const { run, plan, all } = await planned({})
    const focused = await planned({}, { focus: 'part 3' })
    const focusedText = await previewDigest(focused.all, focused.run, focused.plan)
    const text = await previewDigest(all, run, plan)
    expect(text).toContain('Please do part')
    expect(focusedText).not.toBe(text)
    const { made } = await open()
    const done = await compactSession(made.ports, { ...made.request, policy: policyWith({}) })
    expect(done).toMatchObject({ kind: 'compacted', summary: { source: 'digest', text } })
  })

  it('keeps credentials covered', async () => {
    const { run, plan, all } = await planned({})
    const summary = { ...all.summary, mask: (text: string) => text.replaceAll('Please', '•') }
    const text = await previewDigest({ ...all, summary }, run, plan)
    expect(text).toContain('•')
    expect(text).not.toContain('Please')
  })

  it('reads what was read before no second time', async () => {
    const { run, plan, all } = await planned({})
    const known = new Map()
    const first = await previewDigest(all, run, plan, { known })
    expect(known.size).toBeGreaterThan(0)
    const source = () => Promise.reject(new Error('read again'))
    const again = await previewDigest({ ...all, reader: { ...all.reader, source } }, run, plan, { known })
    expect(again).toBe(first)
  })
})
