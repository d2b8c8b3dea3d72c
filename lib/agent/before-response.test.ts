import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asyncCallScope } from '../adapters/agent/async-call-scope'
import { hardLine } from '../core/budget/load-lines'
import { findUnpaired } from '../core/history/pairing'
import type { ContentMessage } from '../core/history/thinking'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import type { Policy } from '../core/policy/policy'
import { plainCallScope } from '../engine/jobs/call-scope'
import { transientMemory } from '../engine/knowledge/agent-memory'
import { SummaryChain } from '../engine/summary/summary-chain'
import { QUIET_POLICY } from '../testing/builders/quiet-policy'
import { watchedText } from '../testing/builders/watched-text'
import { contentText, liveAgent, sizeOf, turnsOf } from '../testing/live-conversation'
import { scriptedSummarizer, soundSummary, standingClock } from '../testing/scripted-summarizer'

const _off = { enabled: false }
const flushing: Policy = {
  ...QUIET_POLICY,
  lines: { ...QUIET_POLICY.lines, flush: DEFAULT_POLICY.lines.flush },
}
/** 16,000 to 19,200 of a window of 32,000 are above the line of compaction, with margin. */
const HALF_FULL = 50

const user = (content: string): ContentMessage => ({ role: 'user', content })

describe('before a request', () => {
  // How long it takes is printed by the bench.
  test('E13: below every line no model is asked, nothing is changed, and messages are not sized again', async () => {
    const model = scriptedSummarizer('a/m', ['never'])
    const chain = new SummaryChain([model], standingClock())
    let looks = 0
    const messages = turnsOf(500, 1).map(({ content, ...rest }) => ({
      ...rest,
      content: watchedText(content, () => {
        looks += 1
      }),
    }))
    const { context, held } = liveAgent(messages, DEFAULT_POLICY, { chain, window: 400_000 })
    await context.beforeResponse()
    expect(looks).toBeGreaterThanOrEqual(messages.length)
    looks = 0
    for (let i = 0; i < 20; i++) {
      held.messages = [...held.messages, user(`And berth ${i}?`)]
      const done = await context.beforeResponse([user('Which berth is free?')])
      expect(done).toMatchObject({ steps: [], compaction: null, flush: null, failure: null, warnings: [] })
    }
    // Each is looked at once in a turn, for whether it has grown in place; sizing would look at each once more.
    expect(looks / (20 * messages.length)).toBeLessThan(2)
    expect(model.asked).toHaveLength(0)
    expect(held.sets).toBe(0)
  })

  test('D28: what was compacted is not due again, and calls that come together compact once', async () => {
    const { context, held } = liveAgent(turnsOf(HALF_FULL), QUIET_POLICY)
    const [first, second] = await Promise.all([context.beforeResponse(), context.beforeResponse()])
    expect(first.compaction?.kind).toBe('compacted')
    expect(first.after.reached).toEqual([])
    expect(second.compaction).toBeNull()
    expect(held.log).toEqual(['compact'])
    expect(context.tokens).toBe(held.messages.reduce((sum, message) => sum + sizeOf(message), 0))
  })

  test('a compaction that frees next to nothing is left, until the hard line presses', async () => {
    const messages = turnsOf(HALF_FULL)
    const all = messages.reduce((sum, message) => sum + sizeOf(message), 0)
    const keepRecentTokens = Math.floor(all * 0.95)
    const rolling = { ...QUIET_POLICY.summary.rolling, enabled: false }
    const { context, held } = liveAgent(messages, {
      ...QUIET_POLICY,
      compaction: { ...QUIET_POLICY.compaction, keepRecentTokens },
      summary: { ...QUIET_POLICY.summary, rolling },
    })
    expect((await context.beforeResponse()).compaction?.kind).toBe('not-worth-it')
    expect(held.sets).toBe(0)
  })

  test('a message that somebody adds while the summary is made stays, behind what was kept', async () => {
    const late = user('One more thing.')
    const { context, held } = liveAgent(turnsOf(HALF_FULL), QUIET_POLICY, {
      chain: new SummaryChain(
        [
          {
            name: 'a/slow',
            summarize: async () => {
              held.messages = [...held.messages, late]
              return { ok: false, fault: 'http', message: 'down', again: false }
            },
          },
        ],
        standingClock(),
      ),
    })
    await context.beforeResponse()
    expect(held.messages.at(-1)).toBe(late)
    expect(held.log).toEqual(['compact'])
  })

  test('a conversation that is another one meanwhile is left as it is', async () => {
    const other = turnsOf(3)
    const { context, held } = liveAgent(turnsOf(HALF_FULL), QUIET_POLICY, {
      hooks: {
        run: async () => {
          held.messages = other
          return []
        },
      },
    })
    const done = await context.beforeResponse()
    expect(done.compaction?.kind).toBe('changed')
    expect(done.warnings.join()).toContain('changed while it was summarised')
    expect(held.messages).toBe(other)
  })

  test('T5: hooks before and after; one that throws harms nothing', async () => {
    const seen: string[] = []
    const { context } = liveAgent(turnsOf(HALF_FULL), QUIET_POLICY, {
      hooks: {
        run: async (event) => {
          seen.push(event)
          throw new Error('no berth')
        },
      },
    })
    const done = await context.beforeResponse()
    expect(seen).toEqual(['before', 'after'])
    expect(done.compaction?.kind).toBe('compacted')
    expect(done.warnings.join()).toContain('no berth')
  })

  test('a manager without an agent says that it changes nothing', async () => {
    const { ContextManager } = await import('./context-manager')
    const bare = new ContextManager({
      policy: QUIET_POLICY,
      window: 1,
      key: null,
      tokensOf: () => 1,
      promptCache: null,
    })
    await expect(bare.beforeResponse()).rejects.toMatchObject({ code: 'NO_AGENT' })
  })

  test('E1: what was just compacted is not rolled up as well', async () => {
    const rolling = {
      ...QUIET_POLICY.summary.rolling,
      ...{ enabled: true, windowTurns: 1, triggerTokens: 10, triggerShare: 0.001 },
    }
    const model = scriptedSummarizer('a/m', [soundSummary('Please do step 49 in src/step49.ts')])
    const { context, held } = liveAgent(
      turnsOf(HALF_FULL),
      {
        ...QUIET_POLICY,
        budget: { ...QUIET_POLICY.budget, enabled: true },
        summary: { ...QUIET_POLICY.summary, rolling },
      },
      { chain: new SummaryChain([model], standingClock()) },
    )
    expect((await context.beforeResponse()).steps).toEqual(['compact'])
    expect((await context.beforeResponse()).steps, 'only the next time').toEqual(['roll'])
    expect(held.log).toEqual(['compact', 'roll'])
  })

  test('curation comes between flush and compaction, and may save the compaction', async () => {
    const lines = { ...flushing.lines, curate: DEFAULT_POLICY.lines.curate }
    const { context, held } = liveAgent(
      turnsOf(HALF_FULL),
      { ...flushing, lines },
      {
        onFlush: async () => undefined,
        curate: async ({ messages }) => messages.slice(-8),
      },
    )
    const done = await context.beforeResponse()
    expect(done.steps).toEqual(['flush', 'curate'])
    expect(done.compaction).toBeNull()
    expect(held.messages).toHaveLength(8)
  })
})

describe('the flush', () => {
  test('F7: a separate turn comes before the compaction of the same call', async () => {
    const order: string[] = []
    // Looked at below: the manager takes what a hook throws as a warning.
    const texts: string[] = []
    const { context } = liveAgent(turnsOf(HALF_FULL), flushing, {
      onStep: (step) => order.push(step),
      onFlush: async ({ text }) => {
        order.push('asked')
        texts.push(text)
      },
    })
    const done = await context.beforeResponse()
    expect(order).toEqual(['flush', 'asked', 'compact'])
    expect(texts).toHaveLength(1)
    expect(texts[0]).toContain('memory/2026-11-21.md')
    expect(done.warnings).toEqual([])
    expect(done.flush).toBeNull()
  })

  test('F7: without one, the compaction waits for the next call, once, and the prompt is in the request', async () => {
    const { context, held } = liveAgent(turnsOf(HALF_FULL), flushing)
    const first = await context.beforeResponse()
    expect(first).toMatchObject({ waits: true, compaction: null, steps: ['flush'] })
    const input = { parts: { identity: 'I' }, prompt: [user('Which berth?')] }
    const request = await context.request(input)
    expect(request.system.perTurn).toContain('[Context: ')
    expect((await context.request(input)).system.perTurn).toBe('')
    const second = await context.beforeResponse()
    expect(second.compaction?.kind).toBe('compacted')
    expect(held.log).toEqual(['flush', 'compact'])
  })

  test('F7: it waits once for each cycle, though another line asks for the memory meanwhile', async () => {
    const lines = { ...flushing.lines, flush: { ...flushing.lines.flush, at: [0.5, 0.6] } }
    const { context, held } = liveAgent(turnsOf(HALF_FULL), { ...flushing, lines })
    expect(await context.beforeResponse()).toMatchObject({ waits: true, flush: { at: 0.5 } })
    held.messages = [...held.messages, ...turnsOf(9, 200, 'more')]
    const second = await context.beforeResponse()
    expect(second.before.reached.map(({ kind }) => kind)).not.toContain('hard')
    expect(second).toMatchObject({ waits: false, steps: ['flush', 'compact'] })
  })

  test('F7: above the hard line nothing waits, and the agent is not asked to save what was summarised', async () => {
    const { context, held } = liveAgent(turnsOf(90), flushing)
    const done = await context.beforeResponse()
    expect(done.before.reached.map(({ kind }) => kind)).toContain('hard')
    expect(done).toMatchObject({ waits: false, flush: null, compaction: { kind: 'compacted' } })
    expect(held.log.slice(0, 2)).toEqual(['flush', 'compact'])
    const { system } = await context.request({ parts: { identity: 'I' }, prompt: [user('Q')] })
    expect(system.text).not.toContain('[Context: ')
  })

  test('F2: system for the first two lines, the user for the third, as configured', async () => {
    const compact = { enabled: false, at: 0.5 }
    const hard = { enabled: true, at: 1 }
    const reserve = { tokens: 0, floor: 0, maxShare: 0 }
    const policy = { ...flushing, reserve, lines: { ...flushing.lines, compact, hard } }
    const seen = async (turns: number) => {
      const { context } = liveAgent(turnsOf(turns), policy)
      const { flush } = await context.beforeResponse()
      const { system, messages } = await context.request({ parts: { identity: 'I' }, prompt: [user('Q')] })
      const inMessages = messages.filter(({ message }) => contentText(message).startsWith('[Context:'))
      return [flush?.at, flush?.delivery, system.text.includes('[Context:'), inMessages.length]
    }
    expect(await seen(50)).toEqual([0.5, 'system', true, 0])
    expect(await seen(76)).toEqual([0.75, 'system', true, 0])
    expect(await seen(90)).toEqual([0.9, 'user', false, 1])
    const inAnyOrder = { ...policy.lines.flush, at: [0.9, 0.5, 0.75] }
    const { context } = liveAgent(turnsOf(90), { ...policy, lines: { ...policy.lines, flush: inAnyOrder } })
    expect((await context.beforeResponse()).flush, 'whatever the order of the lines').toMatchObject({
      ...{ at: 0.9, delivery: 'user' },
    })
  })

  test('B3: instructions in front of the conversation count', async () => {
    const instructions = { role: 'system', content: 'word '.repeat(3_000) } as unknown as ContentMessage
    const { context: bare } = liveAgent(turnsOf(10), QUIET_POLICY)
    const { context } = liveAgent([instructions, ...turnsOf(10)], QUIET_POLICY)
    const [without, with_] = [await bare.beforeResponse(), await context.beforeResponse()]
    const more = (with_.before.tokens.value ?? 0) - (without.before.tokens.value ?? 0)
    expect(more).toBeGreaterThanOrEqual(sizeOf(instructions))
    expect(more).toBeLessThanOrEqual(sizeOf(instructions) * 1.1)
  })

  test('what is about to come in counts', async () => {
    const { context } = liveAgent(turnsOf(20), flushing)
    expect((await context.beforeResponse()).flush).toBeNull()
    const { flush } = await context.beforeResponse([user('word '.repeat(12_000))])
    expect(flush?.at).toBe(0.5)
    // F6: the figure that the agent reads counts it as well.
    const [, used] = /\[Context: (\d+)k\/32k tokens/.exec(flush?.text ?? '') ?? []
    const held = turnsOf(20).reduce((sum, message) => sum + sizeOf(message), 0)
    const incoming = sizeOf(user('word '.repeat(12_000)))
    expect(Number(used)).toBe(Math.round((held + incoming) / 1_000))
  })

  test('F5: a write under memory/ is noted, one elsewhere and one that failed are not', async () => {
    const write = (id: string, path: string): ContentMessage => ({
      role: 'assistant',
      calls: [{ id }],
      content: [{ type: 'toolCall', id, name: 'write', arguments: { path, content: 'x' } }],
    })
    const result = (id: string, isError = false) => ({
      role: 'toolResult',
      resultFor: id,
      content: 'ok',
      isError,
    })
    const { context, held } = liveAgent(turnsOf(HALF_FULL), flushing)
    await context.beforeResponse()
    const end = async (...messages: ContentMessage[]) => {
      held.messages = [...held.messages, user('Go on.'), ...messages]
      return (await context.afterResponse()).memorySaved
    }
    expect(await end(write('a', 'src/a.ts'), result('a'))).toBe(false)
    expect(await end(write('b', 'memory/2026-11-21.md'), result('b', true))).toBe(false)
    expect(await end(write('c', 'memory/2026-11-21.md'), result('c'))).toBe(true)
  })

  test('D24: an agent that calls back from its flush is served, and not kept waiting for itself', async () => {
    const { context, held } = liveAgent(turnsOf(HALF_FULL), flushing, {
      onFlush: async () => {
        await context.beforeResponse()
      },
    })
    await context.beforeResponse()
    expect(held.log).toEqual(['flush', 'compact'])
  })

  describe.each([
    ['Node', asyncCallScope],
    ['anywhere else', plainCallScope],
  ])('D24: calls from a callback, on %s', (_where, scope) => {
    const curating: Policy = {
      ...QUIET_POLICY,
      lines: { ...QUIET_POLICY.lines, curate: DEFAULT_POLICY.lines.curate },
    }

    test.each(['hooks.run', 'curate', 'plan'] as const)(
      'D24: from %s are refused with the reason, and the pass goes on',
      async (name) => {
        const refused: unknown[] = []
        const again = async () => {
          const calls = [context.beforeResponse(), context.compact(), context.afterResponse()]
          for (const one of await Promise.allSettled(calls))
            refused.push(one.status === 'rejected' && one.reason.code)
          throw (await Promise.allSettled([context.compact()]))[0]
        }
        const callbacks = {
          'hooks.run': { hooks: { run: again } },
          curate: { curate: again },
          plan: { plan: () => again().catch(() => null) },
        }[name]
        const { context, held } = liveAgent(turnsOf(HALF_FULL), curating, { ...callbacks, scope: scope() })
        const done = await context.beforeResponse()
        expect(done.compaction?.kind).toBe('compacted')
        expect(held.log).toContain('compact')
        expect(refused.slice(0, 3)).toEqual(['NESTED_CALL', 'NESTED_CALL', 'NESTED_CALL'])
      },
    )
  })

  test('D24: the reason of a refusal names the callback, in a warning', async () => {
    const { context } = liveAgent(turnsOf(HALF_FULL), QUIET_POLICY, {
      hooks: {
        run: async () => {
          await context.compact()
          return []
        },
      },
    })
    expect((await context.beforeResponse()).warnings.join()).toContain('called from `hooks.run`')
  })

  test('D24: a call from elsewhere while a callback runs waits for its turn', async () => {
    let other: Promise<unknown> | null = null
    let begin: () => void = () => undefined
    const begun = new Promise<void>((done) => {
      begin = done
    })
    const { context, held } = liveAgent(turnsOf(HALF_FULL), QUIET_POLICY, {
      scope: asyncCallScope(),
      hooks: {
        run: async () => {
          begin()
          await new Promise((done) => setImmediate(done))
          return []
        },
      },
    })
    const elsewhere = begun.then(() => {
      other = context.beforeResponse()
    })
    await context.beforeResponse()
    await elsewhere
    expect(await other).toMatchObject({ compaction: null })
    expect(held.log).toEqual(['compact'])
  })
})

describe('the hard line', () => {
  const held85 = (window: number) => hardLine(QUIET_POLICY, window)?.tokens ?? 0

  test('A13: a tail larger than the line gives way until it fits, and the newest request stays', async () => {
    const messages = [...turnsOf(10), user('Compare all berths.'), ...turnsOf(60, 900).slice(1)]
    const greedy = { ...QUIET_POLICY, compaction: { ...QUIET_POLICY.compaction, keepRecentTokens: 28_000 } }
    const { context, held } = liveAgent(messages, greedy)
    const done = await context.beforeResponse()
    expect(done).toMatchObject({ failure: null, steps: ['compact'] })
    expect(done.after.decided).toBeLessThanOrEqual(held85(32_000))
    expect(held.messages.map(contentText).join()).toContain('Please do step 59')
  })

  test('A13: what cannot be made smaller is a failure that names its numbers', async () => {
    const { context, held } = liveAgent([], QUIET_POLICY)
    const done = await context.beforeResponse([user('word '.repeat(40_000))])
    expect(done.failure).toMatch(/above the hard line of 24000/)
    expect([done.steps, done.warnings, held.sets]).toEqual([[], [], 0])
  })

  test('A13: with compaction switched off, whole turns go, and it is said', async () => {
    const policy: Policy = { ...QUIET_POLICY, compaction: { ...QUIET_POLICY.compaction, mode: 'off' } }
    const { context, held } = liveAgent(turnsOf(120), policy)
    const done = await context.beforeResponse()
    expect(done.steps).toEqual(['cut'])
    expect(done.warnings.join()).toMatch(/were left out/)
    expect(done.failure).toBeNull()
    // What is said of the context is what it is after that.
    expect(done.after.decided).toBeLessThanOrEqual(held85(32_000))
    expect(done.after.reached.map(({ kind }) => kind)).not.toContain('hard')
    expect(held.messages[0]).toMatchObject({ role: 'user' })
  })

  test('A13: what an agent does not take, or cold storage does not keep, is not left out, and is said', async () => {
    const policy: Policy = { ...QUIET_POLICY, compaction: { ...QUIET_POLICY.compaction, mode: 'off' } }
    const full = () => Promise.reject(new Error('the quay is full'))
    const run = async (more: object) => {
      const { context, held } = liveAgent(turnsOf(120), policy, more)
      const { steps, failure, warnings } = await context.beforeResponse()
      expect([steps, held.messages.length]).toEqual([[], 480])
      expect(failure).toMatch(/above the hard line/)
      return warnings
    }
    expect(await run({ setContext: full })).toEqual([
      'What did not fit was not left out. The agent did not take the conversation: the quay is full',
    ])
    const cold = {
      root: '/cold',
      put: full,
      list: async () => ({ chunks: [], problems: [] }),
      extend: full,
      remove: full,
    }
    expect((await run({ cold, dropsByRelevance: false })).join()).toContain('the quay is full')
  })

  test('A13, D28: any conversation ends below the line or fails aloud, whole in its pairs, with its newest request', async () => {
    const message = fc.oneof(
      fc.integer({ min: 1, max: 4_000 }).map((n) => [user(`ask ${'word '.repeat(n)}`)]),
      fc
        .integer({ min: 1, max: 4_000 })
        .map((n): ContentMessage[] => [{ role: 'assistant', content: `done ${'word '.repeat(n)}` }]),
      fc
        .tuple(fc.integer({ min: 1, max: 9_000 }), fc.string({ minLength: 6 }))
        .map(([n, id]): ContentMessage[] => [
          {
            role: 'assistant',
            content: [{ type: 'toolCall', id, name: 'read', arguments: {} }],
            calls: [{ id }],
          },
          { role: 'toolResult', resultFor: id, content: 'data '.repeat(n) },
        ]),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 1, maxLength: 24 }),
        fc.nat(20_000),
        async (parts, tail) => {
          const messages = parts.flat()
          const policy = {
            ...QUIET_POLICY,
            compaction: { ...QUIET_POLICY.compaction, keepRecentTokens: tail },
          }
          const { context, held } = liveAgent(messages, policy)
          const done = await context.beforeResponse()
          if (done.failure === null) expect(done.after.decided).toBeLessThanOrEqual(held85(32_000))
          else expect(done.after.decided).toBeGreaterThan(held85(32_000))
          expect(findUnpaired(held.messages).orphans).toEqual([])
          const newest = messages.findLast(({ role }) => role === 'user')
          if (newest !== undefined)
            expect(held.messages.map(contentText).join('\n')).toContain(
              contentText(newest).slice(0, 600).trim(),
            )
          expect(held.log.filter((step) => step === 'compact').length).toBeLessThanOrEqual(1)
        },
      ),
      { numRuns: 40 },
    )
  })
})

describe('by hand, and after an overflow', () => {
  test('D27: works at a tenth of the window, with a focus that the model is given', async () => {
    const model = scriptedSummarizer('a/m', [soundSummary('steps in src')])
    const chain = new SummaryChain([model], standingClock())
    const { context, held } = liveAgent(turnsOf(10), QUIET_POLICY, { chain })
    const done = await context.compact({ focus: 'berth 9' })
    expect(done.kind).toBe('compacted')
    expect(model.asked[0]?.prompt.user).toContain('Pay most attention to: berth 9')
    expect(held.log).toEqual(['compact'])
    expect(await context.compact()).toMatchObject({ kind: 'nothing' })
  })

  test('D17: the summary carries the rules of the workspace', async () => {
    const text = '# Agent\n\n## Red Lines\n\nNever open berth 9.\n\n## Style\n\nBe brief.\n'
    const files = [{ name: 'AGENTS.md', path: '/w/AGENTS.md', text }]
    const promptCache = { snapshot: async () => ({ files, daily: [], memory: '' }) }
    const { context, held } = liveAgent(turnsOf(10), QUIET_POLICY, { promptCache })
    expect((await context.compact()).kind).toBe('compacted')
    const summary = JSON.stringify(held.messages[0])
    expect(summary).toContain('Never open berth 9.')
    expect(summary).not.toContain('Be brief.')
  })

  test('D2: a request that overflows is compacted to half and made again', async () => {
    const { context, held } = liveAgent(turnsOf(30), QUIET_POLICY)
    const before = held.messages.reduce((sum, message) => sum + sizeOf(message), 0)
    let asked = 0
    const send = async () => {
      asked += 1
      if (asked === 1) throw new Error('prompt is too long: 213462 tokens > 200000 maximum')
      return held.messages.reduce((sum, message) => sum + sizeOf(message), 0)
    }
    const { value, compactions } = await context.send(send)
    expect(compactions).toBe(1)
    expect(value).toBeLessThanOrEqual(before / 2)
    expect(context.tokens).toBe(held.messages.reduce((sum, message) => sum + sizeOf(message), 0))
  })

  test('D2: it is half, whatever the policy would keep', async () => {
    const messages = turnsOf(40)
    const before = messages.reduce((sum, message) => sum + sizeOf(message), 0)
    const compaction = { ...QUIET_POLICY.compaction, keepRecentTokens: Math.floor(before * 0.7) }
    const { context, held } = liveAgent(messages, { ...QUIET_POLICY, compaction })
    let asked = 0
    const { compactions } = await context.send(async () => {
      asked += 1
      if (asked === 1) throw new Error('prompt is too long: 213462 tokens > 200000 maximum')
    })
    expect(compactions).toBe(1)
    expect(held.messages.reduce((sum, message) => sum + sizeOf(message), 0)).toBeLessThanOrEqual(before / 2)
  })

  test('D1: an answer that says more than the window holds is compacted for and asked again', async () => {
    const { context } = liveAgent(turnsOf(30), QUIET_POLICY)
    const prompts = [32_001, 9_000]
    const { value, compactions } = await context.send(async () => ({
      stopReason: 'stop',
      usage: { input: prompts.shift() ?? 0, output: 5 },
    }))
    expect([compactions, value.usage.input]).toEqual([1, 9_000])
  })
})

describe('what is remembered', () => {
  test('V4: a memory that fails costs a warning, and the turn goes on', async () => {
    const broken = () => Promise.reject(new Error('disk is full'))
    const memory = {
      load: broken,
      save: broken,
      checkpoints: broken,
      addCheckpoint: broken,
      stepCheckpoints: broken,
      addStepCheckpoint: broken,
    }
    const { context } = liveAgent(turnsOf(HALF_FULL), QUIET_POLICY, { memory })
    const done = await context.beforeResponse()
    expect(done.compaction?.kind).toBe('compacted')
    expect(done.warnings.join()).toContain('disk is full')
  })

  test('D26: compactions are counted; turns begin anew with each', async () => {
    const memory = transientMemory()
    const { context } = liveAgent(turnsOf(HALF_FULL), QUIET_POLICY, { memory })
    expect((await context.afterResponse()).turns).toBe(1)
    await context.beforeResponse()
    expect(await memory.load('agent:harbour:main')).toMatchObject({ compactions: 1, turns: 0 })
  })
})
