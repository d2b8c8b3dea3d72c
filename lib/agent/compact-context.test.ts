import { describe, expect, test } from 'vitest'
import type { ContentMessage } from '../core/history/thinking'
import { PRESETS } from '../core/policy/presets'
import { resolvePolicy } from '../core/policy/resolve'
import { transientMemory } from '../engine/knowledge/agent-memory'
import { QUIET_POLICY } from '../testing/builders/quiet-policy'
import { coldAgent } from '../testing/cold-conversation'
import { liveAgent, sizeOf, turnsOf } from '../testing/live-conversation'

test('D27: an agent that does not take what a compaction made keeps its conversation, and the outcome says why', async () => {
  const messages = turnsOf(30)
  const { context, held } = liveAgent(messages, QUIET_POLICY, {
    setContext: () => {
      throw new Error('the agent is busy')
    },
  })
  const done = await context.compact()
  expect(done).toMatchObject({
    kind: 'refused',
    refusal: { code: 'failed', message: expect.stringContaining('the agent is busy') },
  })
  expect(held.messages).toEqual(messages)
  expect(held.log).toEqual([])
  const full = liveAgent(turnsOf(50), QUIET_POLICY, {
    setContext: () => {
      throw new Error('the agent is busy')
    },
  })
  const { warnings } = await full.context.beforeResponse()
  expect(warnings.join()).toMatch(/The conversation was not compacted: .*the agent is busy/)
})

test('V1: an agent’s own way to curate is asked before a request, and not after a reply', async () => {
  const moments: string[] = []
  let moment = 'before'
  const lines = { ...QUIET_POLICY.lines, curate: { ...QUIET_POLICY.lines.curate, enabled: true, at: 0.2 } }
  const { context } = liveAgent(
    turnsOf(40),
    { ...QUIET_POLICY, lines },
    {
      curate: async ({ messages }: { messages: readonly ContentMessage[] }) => {
        moments.push(moment)
        return messages
      },
    },
  )
  await context.beforeResponse()
  moment = 'after'
  await context.afterResponse()
  expect(moments).toEqual(['before'])
})

test('D27: who asks for a compaction gets one, however little it frees', async () => {
  const messages = turnsOf(40)
  const all = messages.reduce((sum, message) => sum + sizeOf(message), 0)
  const compaction = { ...QUIET_POLICY.compaction, keepRecentTokens: Math.floor(all * 0.95) }
  const { context } = liveAgent(messages, { ...QUIET_POLICY, compaction })
  const done = await context.compact()
  expect(done.kind === 'compacted' && done.plan.warnings.map(({ code }) => code)).toContain('frees-little')
})

test('D28: a conversation of which the end is another one is compacted again, however many messages it has', async () => {
  const { context, held } = liveAgent(turnsOf(50), QUIET_POLICY)
  expect((await context.compact()).kind).toBe('compacted')
  held.messages = [...held.messages.slice(0, -1), { role: 'assistant', content: 'Another answer.' }]
  expect(await context.compact()).not.toMatchObject({ kind: 'nothing', why: 'just-compacted' })
})

describe('I1: a conversation that was changed while copies of it were stored', () => {
  const changing = (fails: boolean) => {
    const agent = coldAgent(turnsOf(50), QUIET_POLICY, { window: 32_000 })
    const { put } = agent.cold
    const other: ContentMessage = { role: 'user', content: 'Another conversation.' }
    Object.assign(agent.cold, {
      put: async (records: Parameters<typeof put>[0]) => {
        agent.held.messages = [other]
        if (fails) throw new Error('the disk is gone')
        return put(records)
      },
    })
    return { ...agent, other }
  }

  test('is left as it is, and the copies are taken back', async () => {
    const { context, held, cold, other } = changing(false)
    expect(await context.compact()).toEqual({ kind: 'changed' })
    expect(held.messages).toEqual([other])
    expect((await cold.list()).chunks).toEqual([])
  })

  test('has no copies to take back where they could not be made', async () => {
    const { context, held, other } = changing(true)
    let asked = 0
    const sent = context.send(async () => {
      asked += 1
      throw new Error('prompt is too long: 213462 tokens > 200000 maximum')
    })
    await expect(sent).rejects.toThrow('prompt is too long')
    expect([asked, held.messages]).toEqual([1, [other]])
  })
})

describe('what surrounds a compaction', () => {
  test('D25: hooks know the session, who compacts, and what the plan frees', async () => {
    const heard: [string, unknown][] = []
    const run = async (event: string, facts: unknown) => {
      heard.push([event, facts])
      return []
    }
    const { context } = liveAgent(turnsOf(50), QUIET_POLICY, { hooks: { run } })
    const done = await context.compact()
    if (done.kind !== 'compacted') throw new Error(done.kind)
    const { plan } = done
    const facts = {
      ...{ session: 'agent:harbour:main', actor: 'agent', firstKeptEntryId: plan.firstKeptEntryId },
      ...{ tokensBefore: plan.tokensBefore.value, tokensAfter: plan.tokensAfter.value },
    }
    expect(heard).toEqual([
      ['before', expect.objectContaining(facts)],
      ['after', expect.objectContaining(facts)],
    ])
  })

  test('E11: a rolling summary that covers most of it is the summary', async () => {
    const { policy } = resolvePolicy([{ level: 'preset', label: 'vs7', patch: PRESETS.vs7 }])
    const { context, held } = liveAgent(turnsOf(120), policy, { window: 200_000 })
    expect((await context.beforeResponse()).steps).toEqual(['roll'])
    expect(await context.compact()).toMatchObject({ kind: 'compacted', summary: { source: 'checkpoint' } })
    expect(held.messages.length).toBeLessThan(480)
  })

  test('E11: checkpoints that cannot be read are reported, and a summary is made without them', async () => {
    const checkpoints = () => Promise.reject(new Error('no quay'))
    const memory = { ...transientMemory(), checkpoints }
    const { compaction, warnings } = await liveAgent(turnsOf(50), QUIET_POLICY, {
      memory,
    }).context.beforeResponse()
    expect(compaction?.kind).toBe('compacted')
    expect(warnings).toEqual(['The memory of agent:harbour:main cannot be read: no quay'])
  })
})
