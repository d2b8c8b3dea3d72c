import { beforeEach, describe, expect, it } from 'vitest'
import type { CompactionPlan } from '../../core/compaction/plan'
import { COMPACTED_FILE, COMPACTION_POLICY, compactionWorld, tenTurns } from '../../testing/compaction-world'
import { MemoryDisk } from '../../testing/memory-disk'
import { planSourceOf } from '../../testing/memory-session'
import { scriptedSummarizer, standingClock } from '../../testing/scripted-summarizer'
import { testWriter } from '../../testing/test-writer'
import { inspectSession } from '../read/inspect-session'
import { SummaryChain } from '../summary/summary-chain'
import { comparePlans } from './compare-plans'
import { dryRun } from './dry-run'
import { keptSummary } from './kept-summary'

let disk: MemoryDisk

beforeEach(async () => {
  disk = new MemoryDisk()
  await disk.put(COMPACTED_FILE, tenTurns().text())
})

async function open() {
  const made = await compactionWorld(disk, testWriter(disk), new Map())
  const { reader } = made.ports
  const session = await inspectSession(reader, made.request.store, made.request.transcript, { sizes: true })
  const ports = { ...made.ports, models: { chainFor: () => null, prices: {} }, memories: [] }
  return { ports, source: await planSourceOf({ reader, session }) }
}

const keeping = (keepRecentTokens: number, at = 0.5) => ({
  ...COMPACTION_POLICY,
  compaction: { ...COMPACTION_POLICY.compaction, keepRecentTokens },
  lines: { ...COMPACTION_POLICY.lines, compact: { enabled: true, at } },
})

describe('X10 policies side by side', () => {
  it('has what each makes of the session, in the order given, and writes nothing', async () => {
    const { ports, source } = await open()
    const before = disk.text(COMPACTED_FILE)
    const [much, little] = await comparePlans(
      ports,
      source,
      [
        { name: 'much', policy: keeping(1_200) },
        { name: 'little', policy: keeping(10) },
      ],
      { digest: true },
    )
    expect(much?.name).toBe('much')
    expect(little?.tokensAfter.value).toBeLessThan(much?.tokensAfter.value ?? 0)
    expect(little?.chunks?.keep).toBeLessThan(much?.chunks?.keep ?? 0)
    expect(little?.sameAs).toBeNull()
    expect(disk.text(COMPACTED_FILE)).toBe(before)
  })

  it('says which does the same as one before it, whatever their lines', async () => {
    const { ports, source } = await open()
    const rows = await comparePlans(
      ports,
      source,
      [
        { name: 'a', policy: keeping(10, 0.5) },
        { name: 'b', policy: keeping(10, 0.4) },
        { name: 'c', policy: keeping(1_200) },
      ],
      { digest: true },
    )
    expect(rows.map(({ sameAs }) => sameAs)).toEqual([null, 'a', null])
    expect(rows[1]?.line).toBeLessThan(rows[0]?.line ?? 0)
  })

  it('tells plans apart by where they cut, what becomes of each chunk, and what is left; off is off alone', async () => {
    const { ports, source } = await open()
    const { plan } = await dryRun(ports, source, { policy: keeping(300), focus: null, digest: true })
    if (plan.kind !== 'plan') throw new Error(plan.why)
    const [first, ...rest] = plan.chunks
    if (first === undefined) throw new Error('no chunks')
    const compared = async (other: CompactionPlan) => {
      const [a, b] = [keeping(300, 0.5), keeping(300, 0.4)]
      const text = {
        text: 'x',
        source: 'model',
        by: 'a/m',
        calls: 1,
        inputTokens: 1,
        outputTokens: 1,
      } as const
      const kept = [plan, other].map((one, i) => {
        const summary = { ...text, notes: [] }
        const made = { file: COMPACTED_FILE, at: 0, plan: one, summary }
        return keptSummary(source, { policy: i === 0 ? a : b, focus: null }, made, (words) => words)
      })
      const chain = new SummaryChain([scriptedSummarizer('a/m', ['x'])], standingClock())
      const all = {
        ...{ ...ports, models: { chainFor: () => chain, prices: {} } },
        kept: { ...ports.kept, get: async () => kept.shift() ?? null } as typeof ports.kept,
      }
      const candidates = [
        { name: 'a', policy: a },
        { name: 'b', policy: b },
      ]
      return (await comparePlans(all, source, candidates, { digest: false }))[1]?.sameAs
    }
    expect(await compared(plan)).toBe('a')
    expect(await compared({ ...plan, firstKeptEntryId: 'e1' })).toBeNull()
    const more = { value: (plan.tokensAfter.value ?? 0) + 1, basis: 'measured' } as const
    expect(await compared({ ...plan, tokensAfter: more })).toBeNull()
    expect(await compared({ ...plan, chunks: [...plan.chunks, first] })).toBeNull()
    expect(await compared({ ...plan, chunks: [{ ...first, action: 'drop' }, ...rest] })).toBeNull()
    const off = { ...keeping(300), compaction: { ...COMPACTION_POLICY.compaction, mode: 'off' as const } }
    const rows = await comparePlans(
      ports,
      source,
      [
        { name: 'plan', policy: keeping(300) },
        { name: 'off', policy: off },
        { name: 'again', policy: off },
        { name: 'plan again', policy: keeping(300, 0.4) },
      ],
      { digest: true },
    )
    expect(rows.map(({ sameAs }) => sameAs)).toEqual([null, null, 'off', 'plan'])
  })

  it('counts the calls up to that of the plan, past those whose size is not known; without a line none', async () => {
    const { ports, source } = await open()
    const [frame] = source.session.frames
    if (frame === undefined) throw new Error('no calls')
    const sizes = [1_000, 9_000, null, 9_000, 1_000, 9_000]
    const frames = sizes.map((value) => ({
      ...frame,
      total:
        value === null ? ({ value, basis: 'unknown' } as const) : ({ value, basis: 'measured' } as const),
    }))
    const policy = keeping(10, 5_000 / source.frame.window.tokens)
    const crossed = async (call: number | 'next', of = policy) => {
      const at = { ...source, call, session: { ...source.session, frames } }
      return (await comparePlans(ports, at, [{ name: 'a', policy: of }], { digest: true }))[0]?.crossed
    }
    expect(await crossed('next')).toEqual({ times: 2, first: 2 })
    expect(await crossed(5)).toEqual({ times: 1, first: 2 })
    const { lines } = policy
    const disabled = { enabled: false }
    const never = {
      ...lines,
      ...{ compact: { ...lines.compact, ...disabled }, hard: { ...lines.hard, ...disabled } },
      ...{ curate: { ...lines.curate, ...disabled }, slide: { ...lines.slide, ...disabled } },
    }
    expect(await crossed('next', { ...policy, lines: never })).toEqual({ times: 0, first: null })
  })

  it('counts how often the recorded calls rose through the line, and has none where compaction is off', async () => {
    const { ports, source } = await open()
    const totals = source.session.frames.map(({ total }) => total.value ?? 0)
    const second = totals[1] ?? 0
    const window = source.frame.window.tokens
    const [low, off] = await comparePlans(
      ports,
      source,
      [
        { name: 'low', policy: keeping(10, second / window) },
        {
          name: 'off',
          policy: { ...keeping(10), compaction: { ...COMPACTION_POLICY.compaction, mode: 'off' } },
        },
      ],
      { digest: true },
    )
    expect(low?.crossed).toEqual({
      times: 1,
      first: totals.findIndex((total) => total >= (low?.line ?? 0)) + 1,
    })
    expect(off).toMatchObject({
      line: null,
      crossed: { times: 0, first: null },
      nothing: 'off',
      chunks: null,
    })
  })
})
