import { describe, expect, test } from 'vitest'
import { injectedSummary } from '../core/compaction/rolling'
import type { ContentMessage } from '../core/history/thinking'
import type { Policy } from '../core/policy/policy'
import { transientCold } from '../engine/cold/transient-cold'
import { messageKey } from '../engine/knowledge/message-key'
import { livePartsOf } from '../testing/builders/live-parts'
import { coldAgent, errands, MEMFAS, NOW, said } from '../testing/cold-conversation'
import { contentText, sizeOf } from '../testing/live-conversation'
import { CONTENT_FORM } from './content-form'
import { ContextManager } from './context-manager'
import type { LiveAgent } from './live-agent'
import type { ContextPass, PassInput } from './live-parts'
import { type PassOccasion, runPass } from './run-pass'

const ASK = said('user', 'Which crane stands at pier seven?')
const sum = (messages: readonly ContentMessage[]) => messages.reduce((total, each) => total + sizeOf(each), 0)

/** A conversation at this share of its window, whose ladder has further parts. */
function plugged(
  passes: readonly ContextPass<ContentMessage>[],
  share = 0.45,
  policy: Policy = MEMFAS,
  more: Partial<Pick<LiveAgent<ContentMessage>, 'onStep'>> = {},
) {
  const held = { messages: [...errands(20), ASK] as readonly ContentMessage[], steps: [] as string[] }
  const context = new ContextManager<ContentMessage>({
    policy: { ...policy, coldStorage: { ...policy.coldStorage, enabled: false } },
    window: Math.round((sum(held.messages) * 1.2) / share),
    key: null,
    tokensOf: sizeOf,
    promptCache: null,
    passes,
    agent: {
      session: 's',
      form: CONTENT_FORM,
      clock: { now: () => NOW },
      getContext: () => held.messages,
      setContext: (next) => {
        held.messages = next
      },
      onStep: (step) => held.steps.push(step),
      ...more,
    },
  })
  return { held, context }
}

const pass = (
  run: ContextPass<ContentMessage>['run'],
  failed = 'Nothing was weeded',
): ContextPass<ContentMessage> => ({
  step: 'curate',
  failed,
  isDue: ({ moment }) => moment === 'after',
  run,
})

describe('a part that is plugged into the ladder', () => {
  test('gets what the one before has left, is given what it may change, and is counted', async () => {
    const seen: number[] = []
    const half = pass(async ({ messages }) => {
      seen.push(messages.length)
      return { messages: messages.slice(messages.length / 2), drop: null, notes: ['half went'] }
    })
    const { context, held } = plugged([half, half])
    const { warnings } = await context.afterResponse()
    expect(seen).toEqual([41, 21])
    expect(held.messages).toHaveLength(11)
    expect(held.steps).toEqual(['curate', 'curate'])
    expect(warnings).toEqual(['half went', 'half went'])
    expect(context.check().tokens.value).not.toBeNull()
  })

  test('that fails costs a warning, and the next one still runs', async () => {
    let ran = false
    const broken = pass(() => Promise.reject(new Error('no shears')))
    const next = pass(async () => {
      ran = true
      return { messages: null, drop: null, notes: [] }
    })
    const { context, held } = plugged([broken, next])
    expect((await context.afterResponse()).warnings).toEqual(['Nothing was weeded: no shears'])
    expect([ran, held.messages.length, held.steps]).toEqual([true, 41, []])
  })

  test('J7 that would part a call from its result changes nothing, and says so', async () => {
    const noResults = pass(async ({ messages }) => ({
      messages: messages.filter(({ role }) => role !== 'toolResult'),
      drop: null,
      notes: [],
    }))
    const { context, held } = plugged([noResults])
    const call = { type: 'tool_use', id: 'c1', name: 'read', input: {} }
    const result = { type: 'tool_result', tool_use_id: 'c1', content: 'At berth four.' }
    held.messages = [
      ...held.messages,
      { role: 'assistant', content: [call] },
      { role: 'user', content: [result] },
      said('assistant', 'At berth four.'),
    ]
    const before = held.messages
    const { warnings } = await context.afterResponse()
    expect(held.messages).toBe(before)
    expect(held.steps).toEqual([])
    expect(warnings).toEqual(['Nothing was weeded: it would have parted a call from its result.'])
  })

  test('keeps what comes in while it works, and is notified when the conversation became another one', async () => {
    const late = said('user', 'One more thing.')
    let settled = 0
    let discarded = 0
    const outcome = {
      settled: async () => {
        settled += 1
        return []
      },
      discarded: async () => {
        discarded += 1
        return ['taken back']
      },
    }
    const { context, held } = plugged([
      pass(async ({ messages }) => {
        held.messages = [...held.messages, late]
        return { messages: messages.slice(-3), drop: null, notes: [], ...outcome }
      }),
    ])
    await context.afterResponse()
    expect(held.messages.at(-1)).toBe(late)
    expect([held.messages.length, settled, discarded]).toEqual([4, 1, 0])
    const other = plugged([
      pass(async ({ messages }) => {
        other.held.messages = errands(1)
        return { messages: messages.slice(-3), drop: null, notes: [], ...outcome }
      }),
    ])
    expect((await other.context.afterResponse()).warnings).toEqual([
      'Nothing was weeded: the conversation changed meanwhile.',
      'taken back',
    ])
    expect([other.held.messages.length, settled, discarded]).toEqual([2, 1, 1])
  })
})

test('V1: an agent that does not listen for steps has its context changed all the same', async () => {
  const half = pass(async ({ messages }) => ({ messages: messages.slice(-11), drop: null, notes: [] }))
  const { context, held } = plugged([half], 0.45, MEMFAS, { onStep: undefined })
  expect((await context.afterResponse()).warnings).toEqual([])
  expect(held.messages).toHaveLength(11)
})

test('V1: each part knows how full the context is by then', async () => {
  const seen: number[] = []
  const half: ContextPass<ContentMessage> = {
    ...pass(async ({ messages }) => ({ messages: messages.slice(-11), drop: null, notes: [] })),
    isDue: ({ moment }) => moment === 'before',
  }
  const look: ContextPass<ContentMessage> = {
    ...half,
    isDue: ({ check }) => {
      seen.push(check.decided)
      return false
    },
  }
  const { before, after } = await plugged([look, half, look]).context.beforeResponse()
  expect(seen).toEqual([before.decided, after.decided])
  expect(after.decided).toBeLessThan(before.decided)
})

test('A13: above the hard line each part is asked once more, as the last one, before anything is cut out', async () => {
  const asked: boolean[] = []
  const last: ContextPass<ContentMessage> = {
    step: 'slide',
    failed: 'Nothing was weeded',
    isDue: (input) => {
      asked.push(input.last)
      return input.last
    },
    run: async ({ messages }) => ({ messages: messages.slice(-11), drop: null, notes: ['weeded'] }),
  }
  const off: Policy = { ...MEMFAS, compaction: { ...MEMFAS.compaction, mode: 'off' } }
  const { context, held } = plugged([last, last], 0.97, off)
  const done = await context.beforeResponse()
  expect(done).toMatchObject({ steps: ['slide'], failure: null, warnings: ['weeded'] })
  // The second is not needed any more.
  expect(asked).toEqual([false, false, true])
  expect(held.messages).toHaveLength(11)
  expect(done.after.decided).toBeLessThan(done.before.decided / 2)
})

test('D28: what was just compacted counts as that still when a part takes something out of it', async () => {
  const middle = pass(async ({ messages }) => ({
    messages: messages.filter((_, place) => place !== messages.length - 2),
    drop: null,
    notes: [],
  }))
  const { context, held } = plugged([middle])
  held.messages = [...held.messages, said('assistant', 'It is blue.'), said('assistant', 'And tall.')]
  expect((await context.compact()).kind).toBe('compacted')
  const before = held.messages.length
  await context.afterResponse()
  expect(held.messages).toHaveLength(before - 1)
  expect(await context.compact()).toMatchObject({ kind: 'nothing', why: 'just-compacted' })
  held.messages = [...held.messages, ...errands(3)]
  await context.afterResponse()
  expect(await context.compact(), 'something was added').not.toMatchObject({ why: 'just-compacted' })
})

test('what a rolling summary replaces is not read, and the summary still replaces it', async () => {
  const policy: Policy = {
    ...MEMFAS,
    budget: { ...MEMFAS.budget, enabled: true },
    summary: {
      ...MEMFAS.summary,
      rolling: { ...MEMFAS.summary.rolling, enabled: true, triggerTokens: 4_000 },
    },
    lines: { ...MEMFAS.lines, compact: { enabled: false, at: 0.5 }, curate: { enabled: true, at: 0.08 } },
  }
  const turns = Array.from({ length: 12 }, (_, i) => [
    said('user', `What of ship ${i}?`),
    ...errands(2, NOW - 86_400_000 - i),
  ])
  const messages = [...turns.flat(), ASK]
  const { context, held } = coldAgent(messages, policy, { window: 40_000 })
  expect((await context.beforeResponse([])).steps).toEqual(['roll'])
  // What the summary replaces is not counted any more.
  expect(context.tokens).toBe((await context.status()).tokens.value)
  const request = () => context.request({ parts: { identity: 'You keep the harbour log.' }, prompt: [] })
  const [summary] = (await request()).messages
  expect(summary?.merged).toEqual(['summary'])
  const { drop } = await context.afterResponse()
  expect(drop?.dropped.length).toBeGreaterThan(0)
  expect(held.messages.length).toBeLessThan(messages.length)
  expect(held.messages[0]).toBe(messages[0])
  const [after] = (await request()).messages
  const summaryIn = (text: string) => text.slice(0, text.indexOf('</prior-conversation-summary>'))
  expect(summaryIn(contentText(after?.message ?? ASK))).toBe(summaryIn(contentText(summary?.message ?? ASK)))
  expect(summaryIn(contentText(after?.message ?? ASK))).not.toBe('')
})

describe('a part that is run by itself', () => {
  const talk = [said('user', 'Where is the keel?'), said('assistant', 'At berth 2.'), ASK]
  const occasion = (incoming: readonly ContentMessage[] = []): PassOccasion<ContentMessage> => ({
    ...{ moment: 'after', incoming, waits: false, last: false },
    check: {} as PassInput<ContentMessage>['check'],
  })
  const noting = (seen: PassInput<ContentMessage>[]): ContextPass<ContentMessage> => ({
    ...pass(async ({ messages, beside }) => {
      seen.push({ messages, beside } as PassInput<ContentMessage>)
      return { messages: null, drop: null, notes: [] }
    }),
    isDue: ({ isEmpty }) => !isEmpty,
  })

  test('is given the tokens beside what it may change: what is fixed, the rolling summary, what comes in', async () => {
    const { parts } = livePartsOf(talk, MEMFAS, { fixedTokens: () => 7_000 })
    const seen: PassInput<ContentMessage>[] = []
    await runPass(parts, noting(seen), occasion([ASK]))
    const rolling = { text: 'So far.', tokens: 9, covered: 2, key: messageKey(parts.form, talk[1] ?? ASK, 1) }
    await parts.state.update((state) => ({ ...state, rolling }))
    await runPass(parts, noting(seen), occasion([ASK]))
    const summary = parts.form.fromText(injectedSummary('So far.'))
    expect(seen).toEqual([
      { messages: talk, beside: 7_000 + sizeOf(ASK) },
      { messages: [ASK], beside: 7_000 + sizeOf(ASK) + sizeOf(summary) },
    ])
  })

  test('is not asked for anything of a conversation that is empty', async () => {
    const seen: PassInput<ContentMessage>[] = []
    await runPass(livePartsOf([], MEMFAS).parts, noting(seen), occasion())
    expect(seen).toEqual([])
  })

  test('that may keep no copy of what leaves, or would part a pair, changes nothing and has nothing to take back', async () => {
    const broken = () => Promise.reject(new Error('disk full'))
    const cold = { ...transientCold(), put: broken, putLater: undefined, remove: broken }
    const run = async (messages: readonly ContentMessage[]) => {
      const { parts, held } = livePartsOf(messages, MEMFAS, { cold })
      const weed = pass(async (input) => ({ messages: input.messages.slice(1), drop: null, notes: [] }))
      const { changed, warnings } = await runPass(parts, weed, occasion())
      expect([changed, held.sets]).toEqual([false, 0])
      return warnings
    }
    expect(await run(talk)).toEqual([expect.stringMatching(/^Nothing was weeded: .*disk full/)])
    expect(await run([...errands(1), ASK])).toEqual([
      expect.stringMatching(/parted a call from its result\.$/),
    ])
  })

  test('D28: a conversation of the same length that was not compacted does not count as that', async () => {
    const weed = pass(async ({ messages }) => ({ messages: messages.slice(1), drop: null, notes: [] }))
    for (const [last, count] of [
      [ASK, 2],
      [said('user', 'Another one.'), 3],
    ] as const) {
      const { parts } = livePartsOf(talk, MEMFAS)
      const compacted = { count: 3, key: messageKey(parts.form, last, 2) }
      await parts.state.update((state) => ({ ...state, compacted }))
      await runPass(parts, weed, occasion())
      expect((await parts.state.get()).compacted?.count).toBe(count)
    }
  })
})
