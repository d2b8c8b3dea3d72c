import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import type { Policy } from '../../core/policy/policy'
import { digestBudget } from '../../core/summary/digest'
import { checkpointRecord, openaiAnswer } from '../../testing/builders/checkpoint'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { memorySession, planSourceOf } from '../../testing/memory-session'
import { openPlanSource, type PlanChoice, planSession, planWindow } from './plan-session'

function conversation(turns = 12): TranscriptBuilder {
  const session = new TranscriptBuilder()
  for (let i = 0; i < turns; i++) {
    session.user(`Please do part ${i}. ${'word '.repeat(120)}`)
    session.assistant(`Done ${i}. ${'word '.repeat(120)}`, {
      usage: { input: 900 + i * 400, output: 9, cacheRead: 70 + i },
    })
  }
  return session
}
const policyWith = (over: Partial<Policy>, keepRecentTokens = 600): Policy => ({
  ...DEFAULT_POLICY,
  compaction: { ...DEFAULT_POLICY.compaction, keepRecentTokens },
  ...over,
})
const choice = (over: Partial<PlanChoice> = {}): PlanChoice => ({
  ...{ policy: policyWith({}), manual: true, source: 'digest', price: null, checkpoint: null },
  ...over,
})

describe('B4 a session at a call', () => {
  it('is there for each call, for the last one and for the next, and for no other', async () => {
    const stored = await memorySession(conversation().text())
    const at = async (call: number | 'last' | 'next') => openPlanSource(stored.reader, stored.session, call)
    expect((await at(1))?.call).toBe(1)
    expect((await at('last'))?.call).toBe(12)
    expect((await at('next'))?.call).toBe('next')
    for (const call of [0, 13, -1]) expect(await at(call)).toBeNull()
    const untouched = await memorySession(new TranscriptBuilder().text())
    expect(await openPlanSource(untouched.reader, untouched.session, 'last')).toBeNull()
    expect((await openPlanSource(untouched.reader, untouched.session, 'next'))?.path).toEqual([])
  })

  it('is the path to it and what is sent of that, each entry with its size', async () => {
    const stored = await memorySession(conversation(3).text())
    const second = await planSourceOf(stored, 2)
    expect(second.path.map(({ fact }) => fact.id)).toEqual(['e1', 'e2', 'e3'])
    expect(second.context.map(({ entry }) => entry.fact.id)).toEqual(['e1', 'e2', 'e3'])
    expect(second.path.every(({ size }) => size > 100)).toBe(true)
    const next = await planSourceOf(stored)
    expect(next.context).toHaveLength(6)
    expect(next.lastKept).toBe(-1)
    expect(next.replayed).toBe(false)
    expect(next.recordTokensBefore).toBeGreaterThan(second.recordTokensBefore)
  })

  it('is what it was, whatever came after: also where a provider had compacted', async () => {
    const session = conversation(4)
    session.assistant('Shorter now.', {
      usage: { input: 900, output: 9 },
      ...openaiAnswer(checkpointRecord()),
    })
    const until = session.lines.length
    session.user('And on.')
    const asked = session.lines.length
    session.assistant('On.', { usage: { input: 950, output: 9 }, ...openaiAnswer() })
    session.user(`Much more. ${'word '.repeat(900)}`)
    const stored = await memorySession(session.text())
    const at = await planSourceOf(stored, 6)
    expect(at.replayed).toBe(true)
    const cut = await memorySession(`${session.lines.slice(0, asked).join('\n')}\n`)
    const then = await planSourceOf(cut)
    expect(then.replayed).toBe(true)
    expect(at.frame.categories).toEqual(then.frame.categories)
    expect((await planSourceOf(stored)).frame.categories).not.toEqual(then.frame.categories)
    expect(until).toBeLessThan(asked)
  })

  it('reads only what has a size, where it was read without', async () => {
    const session = conversation(2)
    session.entry('custom', { customType: 'x', data: 'y'.repeat(900) })
    session.user('on')
    const stored = await memorySession(session.text())
    const facts = stored.session.facts.map((fact) => ({ ...fact, size: undefined }))
    const source = await openPlanSource(stored.reader, { ...stored.session, facts }, 'next')
    expect(stored.asked).toEqual([1, 2, 3, 4, 6])
    expect(source?.path.find(({ fact }) => fact.type === 'custom')?.size).toBe(0)
  })

  it('an entry whose text cannot be read any more has no size', async () => {
    const stored = await memorySession(conversation(2).text())
    const facts = stored.session.facts.map((fact) => ({ ...fact, size: undefined }))
    for (const text of ['{"torn', '7']) {
      const reader = { ...stored.reader, source: async () => text }
      const source = await openPlanSource(reader, { ...stored.session, facts }, 'next')
      expect(source?.path.map(({ size }) => size)).toEqual([0, 0, 0, 0])
    }
    const whole = await openPlanSource(stored.reader, { ...stored.session, facts }, 'next')
    expect(whole?.path).toHaveLength(4)
    expect(whole?.path.every(({ size }) => size > 100)).toBe(true)
  })

  it('knows what its last boundary keeps', async () => {
    const session = conversation(3)
    session.compaction('s', 'e3')
    session.user('on')
    const source = await planSourceOf(await memorySession(session.text()))
    expect(source.path[source.lastKept]?.fact.id).toBe('e3')
    const resetWith = async (fields: object) => {
      const reset = conversation(3)
      reset.compaction('s', 'e3')
      reset.entry('reset', { reason: 'new', ...fields })
      reset.user('on')
      return planSourceOf(await memorySession(reset.text()))
    }
    expect((await resetWith({})).lastKept).toBe(-1)
    const keeping = await resetWith({ firstKeptEntryId: 'e5' })
    expect(keeping.path[keeping.lastKept]?.fact.id).toBe('e5')
  })

  it('usage from before a boundary is none of what it keeps, but for pi', async () => {
    const session = conversation(6)
    session.compaction('s', 'e11')
    session.user('on')
    const reset = conversation(6)
    reset.entry('reset', { reason: 'new', firstKeptEntryId: 'e11' })
    reset.user('on')
    const kept = await planSourceOf(await memorySession(reset.text()))
    expect(kept.recordTokensBefore).toBeLessThan(1_000)
    const recordOf = async (kind: 'openclaw' | 'pi') =>
      (await planSourceOf(await memorySession(session.text(), { store: { kind } }))).recordTokensBefore
    expect(await recordOf('pi')).toBeGreaterThan(2_000)
    expect(await recordOf('openclaw')).toBeLessThan(1_000)
  })
})

describe('B4 what counts of reported usage', () => {
  const recordOf = async (build: (session: TranscriptBuilder) => void) => {
    const session = conversation(6)
    build(session)
    return (await planSourceOf(await memorySession(session.text()))).recordTokensBefore
  }
  const answer = (session: TranscriptBuilder) => {
    session.user('on')
    session.assistant('Done.', { usage: { input: 50_000, output: 9 } })
  }

  it('is all where there is no boundary, and what came after the last one', async () => {
    expect(await recordOf(() => undefined)).toBeGreaterThan(2_900)
    for (const boundary of [
      (session: TranscriptBuilder) => session.compaction('s', 'e11'),
      (session: TranscriptBuilder) => session.entry('reset', { reason: 'new' }),
      (session: TranscriptBuilder) => session.entry('reset', { reason: 'new', firstKeptEntryId: 'e11' }),
    ]) {
      expect(await recordOf((session) => void boundary(session))).toBeLessThan(1_000)
      const later = (session: TranscriptBuilder) => {
        boundary(session)
        answer(session)
      }
      expect(await recordOf(later)).toBeGreaterThanOrEqual(50_000)
    }
  })
})

describe('D8 what plans of it are made with', () => {
  const sourceOf = async (over: Parameters<typeof memorySession>[1] = {}) =>
    planSourceOf(await memorySession(conversation().text(), over))

  it('a digest is as long as its budget, a model’s summary a tenth, 256 tokens at least, 4000 at most', async () => {
    const source = await sourceOf()
    const tokensOf = (by: 'digest' | 'model', policy: Policy, from = source) => {
      const plan = planSession(from, choice({ source: by, policy }))
      if (plan.kind !== 'plan') throw new Error(plan.why)
      const summarised = plan.chunks
        .filter(({ action }) => action !== 'keep')
        .reduce((sum, { tokens }) => sum + tokens, 0)
      return { tokens: plan.summary.tokens, summarised }
    }
    const rolling = { ...DEFAULT_POLICY.summary.rolling }
    const free = policyWith({
      summary: { ...DEFAULT_POLICY.summary, rolling: { ...rolling, enabled: false } },
    })
    const digest = tokensOf('digest', free, await planSourceOf(await memorySession(conversation(40).text())))
    expect(Math.abs(digest.tokens - digestBudget(digest.summarised))).toBeLessThanOrEqual(1)
    const long = await planSourceOf(await memorySession(conversation(400).text()))
    expect(tokensOf('digest', free, long).tokens).toBe(2_000)
    const model = tokensOf('model', free)
    // Chunks are in whole tokens, their sum is not.
    expect(Math.abs(model.tokens - Math.max(256, model.summarised * 0.1))).toBeLessThanOrEqual(1)
    const capped = policyWith({
      summary: { ...DEFAULT_POLICY.summary, rolling: { ...rolling, enabled: true, maxTokens: 100 } },
    })
    expect(tokensOf('model', capped).tokens).toBe(100)
    expect(tokensOf('digest', capped).tokens).toBeLessThanOrEqual(100)
    expect(tokensOf('model', free, long).tokens).toBe(4_000)
  })

  it('the window that the policy names, else that of the call', async () => {
    const source = await sourceOf()
    const own = source.frame.window.tokens
    expect(planWindow(source, DEFAULT_POLICY)).toBe(own)
    const cap = { ...DEFAULT_POLICY, window: { ...DEFAULT_POLICY.window, cap: 9_000 } }
    expect(planWindow(source, cap)).toBe(9_000)
    const byModel = { 'claude-sonnet-4-5': 50_000 }
    const named = { ...DEFAULT_POLICY, window: { ...DEFAULT_POLICY.window, byModel } }
    expect(planWindow(source, named)).toBe(50_000)
    const reported = { ...source.frame.window, tokens: 7_777 }
    const other = { ...source, frame: { ...source.frame, window: reported } }
    expect(planWindow(other, DEFAULT_POLICY), 'no policy names one').toBe(7_777)
    const cut = { ...source, frame: { ...source.frame, window: { tokens: 5_000, source: 'cut' } as const } }
    expect(planWindow(cut, cap)).toBe(5_000)
    expect(planSession(source, choice({ policy: policyWith({ window: cap.window }) }))).toMatchObject({
      window: 9_000,
    })
  })

  it('what the last call had from the cache is lost; of a call that was made, what it had', async () => {
    const lost = async (call: number | 'next') => {
      const source = await planSourceOf(await memorySession(conversation().text()), call)
      const plan = planSession(source, choice())
      return plan.kind === 'plan' ? plan.cost.cacheLost : plan.why
    }
    expect(await lost('next')).toBe(81)
    expect(await lost(12)).toBe(81)
    expect(await lost(11)).toBe(80)
  })

  it('what is sent beside the entries is counted besides, and what is in them once', async () => {
    const source = await sourceOf()
    const [first, ...rest] = source.context
    if (first === undefined) throw new Error('no context')
    const sumOf = (categories: object, inFirst: object = {}) => {
      const total = { value: null, basis: 'unknown' } as const
      const frame = { ...source.frame, total, categories: { ...source.frame.categories, ...categories } }
      const context = [{ ...first, byCategory: { ...first.byCategory, ...inFirst } }, ...rest]
      return planSession({ ...source, frame: frame as typeof source.frame, context }, choice()).tokensBefore
        .value
    }
    const sum = sumOf({}) ?? 0
    expect(sumOf({ skills: 50 })).toBe(sum + 50)
    expect(sumOf({ skills: 50 }, { skills: 50 })).toBe(sum)
    expect(sumOf({ 'tool-result': 50 })).toBe(sum)
  })

  it('a total that is known is that of the call', async () => {
    const source = await sourceOf()
    const total = { value: 4_321, basis: 'measured' } as const
    expect(planSession({ ...source, frame: { ...source.frame, total } }, choice()).tokensBefore).toEqual(
      total,
    )
  })

  it('a total that is not known is the sum of what is estimated', async () => {
    const source = await sourceOf()
    const total = { value: null, basis: 'unknown' } as const
    const sumOf = (errorPct: number | null) => {
      const plan = planSession(
        { ...source, frame: { ...source.frame, total, errorPct } as typeof source.frame },
        choice(),
      )
      return plan.tokensBefore
    }
    const fixed = Object.entries(source.frame.categories).filter(
      ([name]) => !['user', 'assistant'].includes(name),
    )
    const before = fixed.reduce((sum, [, tokens]) => sum + (tokens ?? 0), 0)
    const entries = source.context.reduce((sum, { tokens }) => sum + tokens, 0)
    expect(sumOf(12)).toMatchObject({ basis: 'estimated', errorPct: 12 })
    expect(sumOf(null)).toMatchObject({ basis: 'estimated', errorPct: 30 })
    expect(sumOf(12).value).toBeCloseTo(before + entries, -1)
  })
})
