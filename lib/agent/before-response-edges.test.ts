import { describe, expect, it } from 'vitest'
import { hardLine, loadLines } from '../core/budget/load-lines'
import type { ContentMessage } from '../core/history/thinking'
import type { Policy } from '../core/policy/policy'
import { dropToCold } from '../engine/cold/drop-to-cold'
import { QUIET_POLICY } from '../testing/builders/quiet-policy'
import { coldAgent, NOW } from '../testing/cold-conversation'
import { liveAgent, sizeOf, turnsOf } from '../testing/live-conversation'
import { CONTENT_FORM } from './content-form'
import { type LiveParts, type PassInput, roomBelowHardLine } from './live-parts'
import { livePruneContext, noteSeen } from './live-pruning'
import { SlidePass } from './slide-pass'

const ASK: ContentMessage = { role: 'user', content: 'Which berth is free?' }
const PARTS = { identity: 'You keep the harbour log.' }
const flushing = (flush: Partial<Policy['flush']>, at: number[] = [0.3]): Policy => ({
  ...QUIET_POLICY,
  lines: {
    ...QUIET_POLICY.lines,
    flush: { ...QUIET_POLICY.lines.flush, enabled: true, at },
    compact: { ...QUIET_POLICY.lines.compact, at: 0.9 },
  },
  flush: { ...QUIET_POLICY.flush, ...flush },
})

describe('F4 the words of a flush', () => {
  it('are in the system prompt as they are, with what belongs before them, or alone', async () => {
    const words = async (systemPrompt: string, delivery: 'system' | 'user') => {
      const { context } = liveAgent(
        turnsOf(40),
        flushing({ systemPrompt, delivery: [delivery], prompts: ['Save it.'] }),
      )
      const { flush } = await context.beforeResponse([ASK])
      const { system } = await context.request({ parts: PARTS, prompt: [ASK] })
      return [system.perTurn, flush?.text ?? '']
    }
    const [alone, text] = await words('', 'system')
    expect(alone).toBe(text)
    const [both] = await words('Be quick.', 'system')
    expect(both).toBe(`Be quick.\n\n${text}`)
    expect((await words('Be quick.', 'user'))[0]).toBe('Be quick.')
    expect((await words('', 'user'))[0]).toBe('')
  })

  it('go into the system prompt where the policy names no place, and the last ones serve all lines beyond', async () => {
    const { context } = liveAgent(turnsOf(40), flushing({ delivery: [], prompts: ['Save it.'] }, [0.2, 0.3]))
    const { flush } = await context.beforeResponse([ASK])
    expect(flush).toMatchObject({ at: 0.3, delivery: 'system', text: expect.stringContaining('Save it.') })
  })

  it('say what to answer when there is nothing to save, to an agent that is asked alone', async () => {
    const texts: string[] = []
    const onFlush = async ({ text }: { readonly text: string }) => void texts.push(text)
    await liveAgent(turnsOf(40), flushing({}), { onFlush }).context.beforeResponse([ASK])
    const { flush } = await liveAgent(turnsOf(40), flushing({})).context.beforeResponse([ASK])
    expect(texts.join()).toContain('If there is nothing to save')
    expect(flush?.text).not.toContain('If there is nothing to save')
  })

  it('wait for the next request, whatever is asked before it, and are not said once a compaction made them idle', async () => {
    const said = async (between: (agent: ReturnType<typeof liveAgent>) => Promise<unknown>) => {
      const agent = liveAgent(turnsOf(40), flushing({}))
      expect((await agent.context.beforeResponse([ASK])).flush).not.toBeNull()
      await between(agent)
      return (await agent.context.request({ parts: PARTS, prompt: [ASK] })).system.perTurn
    }
    expect(await said(async ({ context }) => context.beforeResponse([ASK]))).toContain('[Context: ')
    const filled = async ({ context, held }: ReturnType<typeof liveAgent>) => {
      held.messages = [...held.messages, ...turnsOf(60, 200, 'leg')]
      expect((await context.beforeResponse([ASK])).compaction?.kind).toBe('compacted')
    }
    expect(await said(filled)).toBe('')
  })

  it('come as well so many tokens before a compaction, as the policy says', async () => {
    const at = async (turns: number, softThresholdTokens: number) => {
      const { context } = liveAgent(turnsOf(turns), flushing({ softThresholdTokens }, [0.99]))
      return (await context.beforeResponse([ASK])).flush?.at ?? null
    }
    const hard = hardLine(QUIET_POLICY, 32_000)?.tokens ?? Number.NaN
    expect(hard).toBeLessThan(32_000 * 0.9)
    expect(await at(40, 20_000)).toBe((hard - 20_000) / 32_000)
    expect(await at(40, 0)).toBeNull()
    expect(await at(10, 20_000)).toBeNull()
  })

  it('go by the order of the lines, that one among them, whatever the order in which they are written', async () => {
    const words: Partial<Policy['flush']> = {
      prompts: ['First.', 'Second.', 'Third.'],
      delivery: ['user', 'system'],
    }
    const of = async (turns: number) => {
      const policy = flushing({ softThresholdTokens: 20_000, ...words }, [0.6, 0.45])
      const { flush } = await liveAgent(turnsOf(turns), policy).context.beforeResponse([ASK])
      return [flush?.text.match(/First|Second|Third/)?.[0], flush?.delivery]
    }
    // The line so many tokens before a compaction is the first of the three; the last delivery serves the lines beyond.
    expect(await of(30)).toEqual(['First', 'user'])
    expect(await of(46)).toEqual(['Second', 'system'])
    expect(await of(62)).toEqual(['Third', 'system'])
  })
})

describe('F7 a turn in which the memory is saved', () => {
  it('may have said something: what the context holds after it is counted', async () => {
    const more = turnsOf(10, 200, 'note')
    const { context, held } = liveAgent(turnsOf(40), flushing({}), {
      onFlush: async () => {
        held.messages = [...held.messages, ...more]
      },
    })
    const { steps, before, after } = await context.beforeResponse([ASK])
    expect(steps).toEqual(['flush'])
    const size = more.reduce((sum, message) => sum + sizeOf(message), 0)
    expect((after.tokens.value ?? 0) - (before.tokens.value ?? 0)).toBe(size)
  })
})

describe('C8 results in the prompt', () => {
  it('are behind their calls once, before what is asked', async () => {
    const call: ContentMessage = {
      ...{ role: 'assistant', calls: [{ id: 'x' }] },
      content: [{ type: 'toolCall', id: 'x', name: 'read', arguments: {} }],
    }
    const result: ContentMessage = { role: 'toolResult', resultFor: 'x', content: 'berth 4' }
    const { context } = liveAgent([ASK, call], QUIET_POLICY)
    const { messages, warnings } = await context.request({ parts: PARTS, prompt: [result, ASK] })
    expect(messages.map(({ slot }) => slot)).toEqual(['history', 'history', 'prompt', 'prompt'])
    expect(messages.map(({ message }) => message.role)).toEqual(['user', 'assistant', 'toolResult', 'user'])
    expect(warnings).toEqual([])
  })
})

describe('D28 a compaction that is asked for again', () => {
  it('is nothing, with what the context takes, the system prompt included', async () => {
    const { context, held } = liveAgent(turnsOf(50), QUIET_POLICY)
    await context.request({ parts: { identity: `You keep the log. ${'word '.repeat(400)}` }, prompt: [ASK] })
    expect((await context.compact()).kind).toBe('compacted')
    const again = await context.compact()
    const talk = held.messages.reduce((sum, message) => sum + sizeOf(message), 0)
    expect(again).toMatchObject({ kind: 'nothing', why: 'just-compacted' })
    if (again.kind !== 'nothing') throw new Error(again.kind)
    expect(again.tokensBefore.value).toBeGreaterThan(talk + 300)
  })
})

describe('J7 a live conversation as rules of pruning look at it', () => {
  const at = new WeakMap<object, number>()
  const form = {
    ...CONTENT_FORM,
    tokensOf: () => 5,
    at: (message: ContentMessage) => at.get(message) ?? null,
  }
  const partsAt = (now: number) =>
    ({
      form,
      policy: QUIET_POLICY,
      window: 32_000,
      agent: { clock: { now: () => now } },
    }) as unknown as LiveParts<ContentMessage>
  const call: ContentMessage = {
    ...{ role: 'assistant', calls: [{ id: 'x' }] },
    content: [{ type: 'toolCall', id: 'x', name: 'read', arguments: { path: 'a.ts' } }],
  }
  const result: ContentMessage = {
    role: 'toolResult',
    resultFor: 'x',
    content: [{ type: 'text', text: 'berth 4' }],
  }

  it('each result is that of its call, also where only the message says so', () => {
    const { messages } = livePruneContext(partsAt(100), [ASK, call, result], null)
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'toolResult'])
    expect(JSON.stringify(messages[2])).toContain('"x"')
    const own: ContentMessage = { role: 'toolResult', toolCallId: 'own', content: 'berth 4' }
    const read = livePruneContext(partsAt(100), [ASK, call, own], null)
    expect(JSON.stringify(read.messages[2])).toContain('"own"')
  })

  it('with each of its blocks where it has such, else with what it says', () => {
    const blocks: ContentMessage = {
      ...{ role: 'toolResult', resultFor: 'x' },
      content: [
        { type: 'text', text: 'berth 4' },
        { type: 'text', text: 'berth 9' },
      ],
    }
    const { messages } = livePruneContext(partsAt(100), [ASK, call, blocks], null)
    expect(messages[2]?.parts).toEqual(['berth 4', 'berth 9'])
    const said = {
      entryId: 'm0',
      line: 1,
      role: 'toolResult',
      text: 'berth 5',
      calls: [],
      images: 0,
    } as const
    const parts = { ...partsAt(100), form: { ...form, toSource: () => said } }
    const bare: ContentMessage = { role: 'toolResult', resultFor: 'x' }
    expect(livePruneContext(parts, [bare], null).messages[0]?.parts).toEqual(['berth 5'])
  })

  it('messages have the name that the agent gives them, else one by their place', () => {
    const named = { ...form, idOf: (message: ContentMessage) => (message === ASK ? 'own' : null) }
    const { messages } = livePruneContext({ ...partsAt(100), form: named }, [ASK, call], null)
    expect(messages.map(({ entryId }) => entryId)).toEqual(['own', 'm1'])
  })

  it('messages are important where the agent or the user marks them', () => {
    const marked: ContentMessage = { role: 'user', content: '#important: berth 9 is closed.' }
    const flagged = { ...ASK, important: true }
    const { messages } = livePruneContext(partsAt(100), [marked, flagged, ASK], null)
    expect(messages.map(({ important }) => important)).toEqual([true, true, false])
  })

  it('messages are as old as they say, else as they are known, else of unknown age', () => {
    const dated: ContentMessage = { role: 'user', content: 'dated' }
    at.set(dated, 7)
    const seen = new WeakMap<object, number>()
    noteSeen(partsAt(50), [ASK, dated], seen)
    expect([seen.get(ASK), seen.get(dated)]).toEqual([50, undefined])
    noteSeen(partsAt(60), [ASK], seen)
    const ages = (given: typeof seen | null) =>
      livePruneContext(partsAt(100), [ASK, dated, call], given).messages.map((message) => message.at)
    expect(ages(seen)).toEqual([50, 7, 100])
    expect(ages(null)).toEqual([null, 7, null])
  })
})

describe('E7 sliding summaries', () => {
  it('leave it to a compaction that is due, whichever line asks for it', () => {
    const sliding = {
      ...QUIET_POLICY,
      summary: { ...QUIET_POLICY.summary, sliding: { ...QUIET_POLICY.summary.sliding, enabled: true } },
    }
    const isDue = (...kinds: string[]) => isDueAt('slide', ...kinds)
    const isDueAt = (...kinds: string[]) =>
      new SlidePass<ContentMessage>().isDue({
        ...{
          parts: { policy: sliding },
          messages: [ASK],
          incoming: [],
          moment: 'before',
          last: false,
          waits: false,
        },
        check: { decided: 20, reached: kinds.map((kind) => ({ kind, tokens: 10 })) },
      } as unknown as PassInput<ContentMessage>)
    expect(isDue()).toBe(true)
    expect(isDue('curate')).toBe(true)
    expect(isDue('compact')).toBe(false)
    expect(isDue('hard')).toBe(false)
    expect(isDueAt('curate'), 'below its own line').toBe(false)
  })
})

describe('A13 the room below the hard line', () => {
  it('is what margin, system prompt and what comes in leave of the line, or of the window without one', () => {
    const room = (fixed: number, hard: boolean) =>
      roomBelowHardLine(
        {
          policy: {
            ...QUIET_POLICY,
            lines: { ...QUIET_POLICY.lines, hard: { ...QUIET_POLICY.lines.hard, enabled: hard } },
          },
          window: 32_000,
          gauge: { sum: () => 50 },
          fixedTokens: () => fixed,
        } as unknown as LiveParts<ContentMessage>,
        [ASK],
      )
    const { safetyMargin } = QUIET_POLICY.counting
    const line = hardLine(QUIET_POLICY, 32_000)?.tokens ?? Number.NaN
    expect(room(1_000, true)).toBe(Math.floor(line / safetyMargin) - 1_050)
    expect(room(1_000, false)).toBe(Math.floor(32_000 / safetyMargin) - 1_050)
    expect(room(100_000, true)).toBe(0)
  })
})

describe('I5 what a prompt brings back', () => {
  const policy = (compact: boolean): Policy => ({
    ...QUIET_POLICY,
    window: { ...QUIET_POLICY.window, warnBelow: 0, blockBelow: 0 },
    lines: { ...QUIET_POLICY.lines, compact: { ...QUIET_POLICY.lines.compact, enabled: compact } },
  })
  const content = `The harbour master moved the crane to pier seven. ${'It is blue. '.repeat(200)}`
  const ask: ContentMessage = { role: 'user', content: 'Where did the harbour master move the crane?' }

  it.each([
    ['compact', true],
    ['hard', false],
  ] as const)('stays below the line %s, to the token', async (kind, compact) => {
    const recalling = async (window: number) => {
      const { context, cold } = coldAgent([ASK], policy(compact), { window })
      const chunk = { chunkId: 'crane', content, sessionId: 'agent:harbour:main', tokens: 10, place: null }
      const leaving = [{ ...chunk, reason: 'low_relevance', score: 0.1, prompt: 'p' }]
      await dropToCold({ store: cold, now: () => NOW }, leaving, policy(compact))
      return context.beforeResponse([ask])
    }
    const { recovered, before } = await recalling(200_000)
    const needed = recovered[0]?.tokens ?? Number.NaN
    const roomIn = (window: number) => {
      const line = loadLines(policy(compact), window).find((one) => one.kind === kind)?.tokens ?? 0
      return Math.floor((line - 1 - before.decided) / QUIET_POLICY.counting.safetyMargin)
    }
    const windowFor = (room: number) => {
      let window = room
      while (roomIn(window) < room) window += 1
      return window
    }
    expect((await recalling(windowFor(needed))).steps).toEqual(['recover'])
    expect((await recalling(windowFor(needed) - 1)).steps).toEqual([])
  })
})
