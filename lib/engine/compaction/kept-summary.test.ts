import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { memorySession, planSourceOf } from '../../testing/memory-session'
import type { WrittenSummary } from '../summary/write-summary'
import { keptSummary, offeredPlan } from './kept-summary'
import { planSession } from './plan-session'

const policy = {
  ...DEFAULT_POLICY,
  compaction: { ...DEFAULT_POLICY.compaction, keepRecentTokens: 500 },
}
const summary: WrittenSummary = {
  ...{ text: 'The quay, with key-7.', source: 'model', by: 'a/m', calls: 1, inputTokens: 9, outputTokens: 2 },
  notes: [],
}
const mask = (text: string) => text.replaceAll('key-7', '•')
const AT = Date.UTC(2026, 10, 2, 9, 30, 59)

function conversation(): TranscriptBuilder {
  const session = new TranscriptBuilder()
  for (let i = 0; i < 12; i++) {
    session.user(`Please do part ${i}. ${'word '.repeat(80)}`)
    session.assistant(`Done ${i}. ${'word '.repeat(80)}`, { usage: { input: 400 + i * 300, output: 9 } })
  }
  return session
}
const read = async (session: TranscriptBuilder) => planSourceOf(await memorySession(session.text()))

async function keptOf(session: TranscriptBuilder, focus: string | null = null) {
  const source = await read(session)
  const plan = planSession(source, { policy, manual: true, source: 'model', price: null, checkpoint: null })
  if (plan.kind !== 'plan') throw new Error(plan.why)
  const kept = keptSummary(source, { policy, focus }, { file: '/f', at: AT, plan, summary }, mask)
  return { source, plan, kept }
}
const inputs = { policy, focus: null }

describe('D13 a summary that was paid for', () => {
  it('is kept with what it was made from, credentials covered', async () => {
    const { kept, source, plan } = await keptOf(conversation(), 'berths and key-7')
    expect(kept).toMatchObject({
      ...{ version: 1, file: '/f', at: AT, plan, count: 25, focus: 'berths and •' },
      leaf: source.branches.leaf,
      summary: { ...summary, text: 'The quay, with •.' },
    })
    expect(offeredPlan(kept, source, { policy, focus: 'berths and key-7' }, mask)).not.toBeNull()
  })

  it('is offered for the session as it was, at no price, with when it was written', async () => {
    const { kept, source, plan } = await keptOf(conversation())
    const offered = offeredPlan(kept, source, inputs, mask)
    expect(offered).toEqual({
      ...plan,
      cost: { ...plan.cost, calls: 0, inputTokens: 0, outputTokens: 0, usd: 0 },
      warnings: [
        ...plan.warnings,
        { code: 'kept-summary', message: expect.stringContaining('by a/m of 2026-11-02 09:30 UTC') },
      ],
    })
    const warned = [
      { code: 'frees-little', message: 'Little.' },
      { code: 'kept-summary', message: 'Old.' },
    ] as const
    const others = offeredPlan({ ...kept, plan: { ...plan, warnings: warned } }, source, inputs, mask)
    expect(others?.warnings).toEqual([warned[0], offered?.warnings.at(-1)])
    const unnamed = { ...kept, plan: offered ?? plan, summary: { ...summary, by: null } }
    const again = offeredPlan(unnamed, source, inputs, mask)
    expect(again?.warnings.filter(({ code }) => code === 'kept-summary')).toMatchObject([
      { message: expect.stringContaining('A summary by a model of') },
    ])
  })

  it('counts what came since, which stays', async () => {
    const session = conversation()
    const { kept, plan } = await keptOf(session)
    session.user('One thing more.')
    session.assistant('', { calls: ['c1'] })
    const source = await read(session)
    const offered = offeredPlan(kept, source, inputs, mask)
    if (offered === null) throw new Error('not offered')
    const added = offered.chunks.slice(plan.chunks.length)
    expect(offered.chunks.slice(0, plan.chunks.length)).toEqual(plan.chunks)
    expect(added.map(({ entryIds, seqs, action, rule }) => [entryIds, seqs, action, rule])).toEqual([
      [['e25'], [25], 'keep', 'tail'],
      [['e26'], [26], 'keep', 'tail'],
    ])
    const more = added.reduce((sum, { tokens }) => sum + tokens, 0)
    expect(more).toBeGreaterThan(0)
    expect(added.every(({ tokens }) => Number.isInteger(tokens))).toBe(true)
    expect(offered.recordTokensBefore).toBe(plan.recordTokensBefore + more)
    expect(offered.tokensBefore.value).toBe((plan.tokensBefore.value ?? 0) + more)
    expect(offered.tokensAfter.value).toBe((plan.tokensAfter.value ?? 0) + more)
    expect(offered.tokensBefore.basis).toBe('estimated')
    const user = added[0]?.byCategory.user ?? 0
    expect(user).toBeGreaterThan(0)
    expect(offered.before.user).toBeCloseTo((plan.before.user ?? 0) + user)
    expect(offered.after.user).toBeCloseTo((plan.after.user ?? 0) + user)
    expect(offered.before['tool-call']).toBeGreaterThan(plan.before['tool-call'] ?? 0)
  })

  it('is offered where it was planned right behind a compaction', async () => {
    const session = conversation()
    session.compaction('Before.', 'e3')
    session.user('On.')
    const { kept, source } = await keptOf(session)
    expect(offeredPlan(kept, source, inputs, mask)).not.toBeNull()
  })

  it('an estimate stays as unsure as it was', async () => {
    const session = conversation()
    const { kept, plan } = await keptOf(session)
    session.user('One thing more.')
    const estimate = { ...plan, tokensBefore: { value: 900, basis: 'estimated', errorPct: 7 } as const }
    const offered = offeredPlan({ ...kept, plan: estimate }, await read(session), inputs, mask)
    expect(offered?.tokensBefore).toMatchObject({ basis: 'estimated', errorPct: 7 })
  })

  it('a sum of something measured and something estimated is unsure; an unknown stays unknown', async () => {
    const session = conversation()
    const { kept, plan } = await keptOf(session)
    session.user('One thing more.')
    const source = await read(session)
    const measured = {
      ...plan,
      tokensBefore: { value: 900, basis: 'measured' } as const,
      tokensAfter: { value: null, basis: 'unknown' } as const,
    }
    const offered = offeredPlan({ ...kept, plan: measured }, source, inputs, mask)
    expect(offered?.tokensBefore).toMatchObject({ basis: 'estimated', errorPct: 30 })
    expect(offered?.tokensBefore.value).toBeGreaterThan(900)
    expect(offered?.tokensAfter).toEqual({ value: null, basis: 'unknown' })
    const same = offeredPlan({ ...kept, plan: measured }, await read(conversation()), inputs, mask)
    expect(same?.tokensBefore).toEqual({ value: 900, basis: 'measured' })
  })

  it('is not offered for another policy, focus or call, nor where there is none', async () => {
    const { kept, source } = await keptOf(conversation())
    expect(offeredPlan(null, source, inputs, mask)).toBeNull()
    expect(offeredPlan(kept, source, { policy: DEFAULT_POLICY, focus: null }, mask)).toBeNull()
    expect(offeredPlan(kept, source, { policy, focus: 'berths' }, mask)).toBeNull()
    const at = await planSourceOf(await memorySession(conversation().text()), 12)
    expect(offeredPlan(kept, at, inputs, mask)).toBeNull()
    const asking = conversation()
    asking.user('And now?')
    const { kept: asked } = await keptOf(asking)
    asking.assistant('This.', { usage: { input: 5_000, output: 9 } })
    expect(offeredPlan(asked, await read(asking), inputs, mask)).not.toBeNull()
    const last = await planSourceOf(await memorySession(asking.text()), 'last')
    expect(offeredPlan(asked, last, inputs, mask), 'for a call that was made').toBeNull()
  })

  it('is not offered for a session that was rewritten, shortened, left for a branch, or compacted since', async () => {
    const { kept } = await keptOf(conversation())
    const offers = async (text: string) =>
      offeredPlan(kept, await planSourceOf(await memorySession(text)), inputs, mask) !== null
    const { lines } = conversation()
    expect(await offers(`${lines.join('\n')}\n`)).toBe(true)
    expect(await offers(`${lines.slice(0, -1).join('\n')}\n`)).toBe(false)
    expect(await offers(`${lines.join('\n').replace('part 3', 'part three')}\n`)).toBe(false)
    expect(await offers(`${lines.join('\n').replaceAll('"e5"', '"x5"')}\n`)).toBe(false)
    const branched = conversation()
    branched.user('elsewhere', { parentId: 'e4' })
    expect(await offers(branched.text())).toBe(false)
    for (const type of ['compaction', 'reset']) {
      const bounded = conversation()
      bounded.entry(type, { summary: 's', firstKeptEntryId: 'e20' })
      expect(await offers(bounded.text()), type).toBe(false)
    }
  })
})
