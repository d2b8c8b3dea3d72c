import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { DIGEST_MARK } from '../../core/summary/digest'
import type { SourceMessage } from '../../core/summary/source-message'
import { summaryMaterial } from '../../testing/builders/summary-material'
import { soundSummary, standingClock } from '../../testing/scripted-summarizer'
import type { Summarizer } from './summarizer'
import { SummaryChain } from './summary-chain'
import { writeSummary } from './write-summary'

const LIMIT = DEFAULT_POLICY.compaction.timeoutMs
const say = (text: string): SourceMessage => ({
  entryId: 'e',
  line: 1,
  role: 'user',
  text,
  calls: [],
  images: 0,
})

/** Answers after so many milliseconds, or not at all once its time limit is over. */
function slow(name: string, ms: number, time: ReturnType<typeof standingClock>) {
  const limits: number[] = []
  const model: Summarizer = {
    name,
    summarize: async ({ timeoutMs }) => {
      limits.push(timeoutMs)
      time.advance(Math.min(ms, timeoutMs))
      if (ms > timeoutMs) return { ok: false, fault: 'timeout', message: `${name} is late.`, again: true }
      return { ok: true, text: soundSummary(`answer ${limits.length} of ${name}`), usage: null }
    },
  }
  return { model, limits }
}

/** Four parts, each a request for itself. */
const parts = ['alpha', 'beta', 'gamma', 'delta'].map((word) => [say(`Build the ${word} harbour.`)])

async function summaryOf(models: readonly Summarizer[], time: ReturnType<typeof standingClock>) {
  const result = await writeSummary(summaryMaterial(parts), {
    policy: DEFAULT_POLICY,
    chain: new SummaryChain(models, time),
    focus: null,
    sizeOf: (text) => text.length,
    mask: (text) => text,
    isSecret: () => false,
    maxTokens: 500,
  })
  if (result.kind !== 'written') throw new Error(result.kind)
  return result.summary
}

describe('D13 the time limit of a summary', () => {
  test('D13 holds for all requests of a summary together', async () => {
    const time = standingClock()
    const { model, limits } = slow('a/slow', LIMIT * 0.4, time)
    await summaryOf([model], time)
    expect(limits).toEqual([LIMIT, LIMIT * 0.6, LIMIT * 0.2])
    expect(time.clock.now()).toBe(LIMIT)
  })

  test('D13 what was written until then is paid for and stays, and the rest is a digest', async () => {
    const time = standingClock()
    const summary = await summaryOf([slow('a/slow', LIMIT * 0.4, time).model], time)
    expect(summary).toMatchObject({ source: 'model', by: 'a/slow' })
    expect(summary.text).toContain('answer 1 of a/slow')
    expect(summary.text).toContain('answer 2 of a/slow')
    expect(summary.text).toContain(DIGEST_MARK)
    expect(summary.text).toContain('delta')
    expect(summary.text).not.toContain('alpha')
    expect(summary.notes.join()).toContain('2 of 4 parts')
  })

  test('D13 where no part was ready by then, the whole is a digest', async () => {
    const time = standingClock()
    const summary = await summaryOf([slow('a/hung', Number.POSITIVE_INFINITY, time).model], time)
    expect(summary).toMatchObject({ source: 'digest', by: null, calls: 1 })
    expect(summary.text.startsWith(DIGEST_MARK)).toBe(true)
    expect(summary.notes.join()).not.toContain('of 4 parts')
  })

  test('D13 parts that there is no time to merge stay one after the other', async () => {
    const time = standingClock()
    const summary = await summaryOf([slow('a/slow', LIMIT * 0.24, time).model], time)
    for (const n of [1, 2, 3, 4]) expect(summary.text).toContain(`answer ${n} of a/slow`)
    expect(summary.notes.join()).toContain('4 of 4 parts')
  })

  test('D13, U3 a model that hangs leaves a third of the time to the one behind it', async () => {
    const time = standingClock()
    const hung = slow('a/hung', Number.POSITIVE_INFINITY, time)
    const quick = slow('b/quick', 10, time)
    const chain = new SummaryChain([hung.model, quick.model], time)
    const reply = await chain.ask({ prompt: { system: '', user: '' }, maxTokens: 10 }, DEFAULT_POLICY)
    expect(reply).toMatchObject({ ok: true, by: 'b/quick' })
    expect(hung.limits).toEqual([LIMIT * (2 / 3)])
    expect(quick.limits).toEqual([LIMIT / 3])
  })

  test('D13 no model is asked once the limit is over', async () => {
    const time = standingClock()
    const { model, limits } = slow('a/slow', 10, time)
    const reply = await new SummaryChain([model], time).ask(
      { prompt: { system: '', user: '' }, maxTokens: 10 },
      DEFAULT_POLICY,
      time.clock.now(),
    )
    expect(reply).toMatchObject({ ok: false, stopped: false })
    expect(limits).toEqual([])
  })
})
