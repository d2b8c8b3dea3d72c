import { describe, expect, it } from 'vitest'
import { findUnpaired } from '../core/history/pairing'
import type { ContentMessage } from '../core/history/thinking'
import type { Policy, PolicyPatch } from '../core/policy/policy'
import { PRESETS } from '../core/policy/presets'
import { resolvePolicy } from '../core/policy/resolve'
import { prunePlan } from '../core/pruning/prune-plan'
import { contentText, liveAgent } from '../testing/live-conversation'
import { CONTENT_FORM } from './content-form'
import type { LiveParts } from './live-parts'
import { livePruneContext, SentPruning } from './live-pruning'

type Timed = ContentMessage & { readonly timestamp: number }

const NOW = Date.parse('2026-11-21T10:00:00Z')
const PLACEHOLDER = '[Old tool result content cleared]'

const policyWith = (preset: 'proactive' | 'openclaw', ...patches: PolicyPatch[]): Policy =>
  resolvePolicy([
    { level: 'preset', label: preset, patch: PRESETS[preset] },
    ...patches.map((patch, i) => ({ level: 'session' as const, label: `${i}`, patch })),
  ]).policy
const PROACTIVE = policyWith('proactive', { pruning: { keepLastMessages: 2 } })

let count = 0
const reading = (path: string, words = 400, at = NOW - 600_000): Timed[] => {
  const id = `c${count++}`
  return [
    {
      role: 'assistant',
      calls: [{ id }],
      content: [{ type: 'toolCall', id, name: 'read', arguments: { path } }],
      timestamp: at,
    },
    { role: 'toolResult', resultFor: id, content: `${path} ${'berth '.repeat(words)}`, timestamp: at },
  ]
}
const user: Timed = { role: 'user', content: 'Look at the docks.', timestamp: NOW - 600_000 }

function sending(messages: readonly Timed[], policy: Policy, window = 200_000, now = NOW) {
  const time = { now }
  const { context, held } = liveAgent(messages, policy, { window, clock: { now: () => time.now } })
  const send = async () => {
    const { messages: placed } = await context.request({ parts: { identity: 'x' }, prompt: [] })
    return placed.map(({ message }) => message)
  }
  return { time, held, send }
}
const cleared = (messages: readonly ContentMessage[]) =>
  messages.flatMap((message, at) => (contentText(message).includes(PLACEHOLDER) ? at : []))

describe('what is sent is pruned, and the conversation is left as it is', () => {
  it('J7 where age alone decides, what is too old goes, and what is not stays', async () => {
    const policy = policyWith('proactive', {
      pruning: {
        ...{ keepLastMessages: 2, summarizeFirst: false, toolResultsAfterMs: 60_000 },
        ...{ duplicates: false, supersededReads: false, supersededWrites: false, errors: false },
      },
    })
    const messages = [user, ...reading('a.ts'), ...reading('b.ts', 400, NOW - 1_000), ...reading('c.ts')]
    const { send, time } = sending(messages, policy)
    expect(cleared(await send())).toEqual([2])
    const young = sending([{ ...user, timestamp: NOW }, ...reading('b.ts', 400, NOW - 60_000)], policy)
    expect(cleared(await young.send())).toEqual([])
    // The cache has gone by then, and the second one is as old.
    time.now += 3_600_000
    expect(cleared(await send())).toEqual([2, 4])
  })

  it('J7 a reading that was repeated goes from the request, its pair stays, and nothing is written', async () => {
    const messages = [user, ...reading('a.ts'), ...reading('a.ts'), ...reading('b.ts')]
    const { send, held } = sending(messages, PROACTIVE)
    const sent = await send()
    expect(cleared(sent)).toEqual([2])
    expect(findUnpaired(sent)).toEqual({ orphans: [], unanswered: [] })
    expect(held.messages).toEqual(messages)
    expect(held.sets).toBe(0)
    sent.forEach((message, at) => {
      if (at !== 2) expect(message).toBe(messages[at])
    })
  })

  it('while the cache is warm the beginning stays the same; once it is cold it is pruned anew', async () => {
    const { send, held, time } = sending([user, ...reading('a.ts'), ...reading('b.ts')], PROACTIVE)
    expect(cleared(await send())).toEqual([])
    held.messages = [...held.messages, ...reading('a.ts'), ...reading('c.ts')]
    time.now += 299_999
    const warm = await send()
    expect(cleared(warm)).toEqual([])
    time.now += 300_000
    const cold = await send()
    expect(cleared(cold)).toEqual([2])
    time.now += 1000
    const again = await send()
    expect(again.every((message, at) => message === cold[at])).toBe(true)
  })

  it('OpenClaw’s rule trims long results in a context that is filled, once the cache is cold', async () => {
    const policy = policyWith('openclaw', {
      pruning: { cacheTtl: { enabled: true, keepLastAssistants: 1 } },
    })
    const { send } = sending([user, ...reading('a.ts', 2000), ...reading('b.ts', 2000)], policy, 17_000)
    const sent = await send()
    expect(contentText(sent[2] as ContentMessage)).toContain('[Tool result trimmed: kept first 1500 chars')
    expect(contentText(sent[4] as ContentMessage)).not.toContain('trimmed')
    const off = sending([user, ...reading('a.ts', 2000)], policyWith('openclaw'), 17_000)
    expect(contentText((await off.send())[2] as ContentMessage)).not.toContain('trimmed')
  })

  it('a cache is cold before the first request, also where a clock begins at 0', async () => {
    const old = -600_000
    const work = [...reading('a.ts', 400, old), ...reading('a.ts', 400, old), ...reading('b.ts', 400, old)]
    expect(cleared(await sending([user, ...work], PROACTIVE, 200_000, 0).send())).toEqual([2])
  })

  it('a cache was used last when the newest answer was written, not when the user wrote since', async () => {
    const policy = policyWith('openclaw', {
      pruning: { cacheTtl: { enabled: true, keepLastAssistants: 1 } },
    })
    const trims = async (answered: number, asked: number) => {
      const work = [...reading('a.ts', 2000), ...reading('b.ts', 2000, answered)]
      const { send } = sending([user, ...work, { ...user, timestamp: asked }], policy, 17_000)
      return contentText((await send())[2] as ContentMessage).includes('trimmed')
    }
    expect(await trims(NOW - 600_000, NOW - 1_000)).toBe(true)
    expect(await trims(NOW - 1_000, NOW - 600_000)).toBe(false)
  })

  /** Two files written by one answer. */
  const writes = (text: string, timestamp = NOW - 600_000): Timed[] => {
    const ids = [`c${count++}`, `c${count++}`]
    const content = ids.map((id, i) => ({
      ...{ type: 'toolCall', id, name: 'write' },
      arguments: { path: `dock${i}.ts`, content: `${text} ${'berth '.repeat(400)}` },
    }))
    const results = ids.map((id) => ({ role: 'toolResult', resultFor: id, content: 'done' }))
    const call = { role: 'assistant', calls: ids.map((id) => ({ id })), content }
    return [call, ...results].map((message) => ({ ...message, timestamp }))
  }

  it('two calls of one message that were repeated are both without their texts', async () => {
    const messages = [user, ...writes('first'), ...writes('second'), ...reading('b.ts')]
    const [, sent, , , again] = await sending(messages, PROACTIVE).send()
    expect(JSON.stringify(sent)).not.toContain('first')
    expect(JSON.stringify(sent)).toMatch(/dock0.*dock1/)
    expect(JSON.stringify(again)).toMatch(/second.*second/)
  })

  it('J7 where nothing is as old as results stay, all other rules look at it', async () => {
    const pruning = { keepLastMessages: 2, summarizeFirst: false, keepRecentMs: 0 }
    const messages = [
      { ...user, timestamp: NOW },
      ...writes('first', NOW),
      ...writes('second', NOW),
      ...reading('b.ts', 400, NOW),
    ]
    const sent = await sending(messages, policyWith('proactive', { pruning })).send()
    expect(JSON.stringify(sent)).not.toContain('first')
  })

  it.each<[string, PolicyPatch]>([
    ['no number of requests is named', { summary: { sliding: { enabled: false, everyIterations: 0 } } }],
    [
      'nothing ever gets too old',
      { summary: { sliding: { enabled: false } }, pruning: { toolResultsAfterMs: 0 } },
    ],
  ])('J4 in one long turn nothing is pruned while the cache is warm, where %s', async (_, patch) => {
    const policy = policyWith('proactive', { pruning: { keepLastMessages: 2 } }, patch)
    const { send, held, time } = sending([user], policy)
    for (let step = 0; step < 8; step++) {
      expect(cleared(await send())).toEqual([])
      held.messages = [...held.messages, ...reading('a.ts', 400, time.now)]
      time.now += 120_000
    }
  })

  it('J4 in one long turn, what is a minute old goes from every fifth request, also of messages without a time, where no summary is made of it', async () => {
    for (const summary of [{ sliding: { enabled: false } }, {}]) {
      const policy = policyWith('proactive', { summary, pruning: { keepLastMessages: 10 } })
      const undated = (path: string) => reading(path).map(({ timestamp: _, ...message }) => message as Timed)
      const { send, held, time } = sending([user], policy)
      const counts: number[] = []
      for (let step = 0; step < 14; step++) {
        counts.push(cleared(await send()).length)
        held.messages = [...held.messages, ...undated(`dock${step}.ts`)]
        time.now += 120_000
      }
      expect(counts).toEqual(
        'sliding' in summary ? [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 5, 5, 5] : new Array(14).fill(0),
      )
      expect(held.sets).toBe(0)
    }
  })

  it('J7 an agent whose messages have neither name nor time has repeated readings pruned as well', async () => {
    const { toSource, fromText, isSummary } = CONTENT_FORM
    const messages = [user, ...reading('a.ts'), ...reading('a.ts'), ...reading('b.ts')]
    const sent = async (pruning: PolicyPatch['pruning']) => {
      const policy = policyWith('proactive', { pruning: { keepLastMessages: 2, ...pruning } })
      const form = { hasBlocks: true, toSource, fromText, isSummary }
      const { context } = liveAgent(messages, policy, { form })
      const { messages: placed } = await context.request({ parts: { identity: 'x' }, prompt: [] })
      return cleared(placed.map(({ message }) => message))
    }
    expect(await sent({ toolResultsAfterMs: 0 })).toEqual([2])
    const age = { duplicates: false, supersededReads: false, supersededWrites: false, errors: false }
    expect(await sent({ ...age, summarizeFirst: false })).toEqual([])
  })

  it('J7 messages of another form, which have no content, are sent as they are', () => {
    const [role, timestamp] = ['toolResult', NOW - 600_000]
    const look = (id: string, path: string) => [
      { role: 'assistant', timestamp, made: [{ id, name: 'read', input: { path } }] },
      { role, timestamp, resultFor: id, said: `${path} ${'berth '.repeat(400)}` },
    ]
    const messages = [user, ...look('a', 'a.ts'), ...look('b', 'a.ts'), ...look('c', 'b.ts')]
    const toSource = ({ resultFor, ...message }: ContentMessage & { said?: string; made?: [] }) => ({
      ...{ entryId: '', line: 1, role: message.role, images: 0, resultFor },
      ...{ text: message.said ?? '', calls: message.made ?? [] },
    })
    const parts = {
      form: { ...CONTENT_FORM, hasBlocks: false, toSource, tokensOf: () => 400 },
      ...{ agent: { clock: { now: () => NOW } }, policy: PROACTIVE, window: 200_000 },
    } as unknown as LiveParts<ContentMessage>
    const context = livePruneContext(parts, messages, null)
    expect(prunePlan(context, ['duplicates']).decisions.map(({ at }) => at)).toEqual([2])
    expect(new SentPruning(parts).sent(messages)).toBe(messages)
  })

  it('J5 what would go by its age alone waits for its summary, unless the policy has none', async () => {
    const messages = [user, ...reading('a.ts'), ...reading('b.ts'), ...reading('c.ts')]
    expect(cleared(await sending(messages, PROACTIVE).send())).toEqual([])
    const bare = policyWith('proactive', { pruning: { keepLastMessages: 2, summarizeFirst: false } })
    expect(cleared(await sending(messages, bare).send())).toEqual([2, 4])
  })
})
