import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { injectedSummary } from '../core/compaction/rolling'
import type { ContentMessage } from '../core/history/thinking'
import { PRESETS } from '../core/policy/presets'
import { resolvePolicy } from '../core/policy/resolve'
import { capSummary } from '../core/summary/cap-summary'
import { estimateUnits } from '../core/tokens/estimate'
import { transientMemory } from '../engine/knowledge/agent-memory'
import type { SummarizerReply, SummarizerRequest } from '../engine/summary/summarizer'
import { SummaryChain } from '../engine/summary/summary-chain'
import { contentText, liveAgent, sizeOf, turnsOf } from '../testing/live-conversation'
import { scriptedSummarizer, soundSummary, standingClock } from '../testing/scripted-summarizer'
import { CONTENT_FORM } from './content-form'
import { rolledView, rollHistory } from './rolling-summary'

/** Five regions and a rolling summary; only the hard line of the ladder. */
const { policy: VS7 } = resolvePolicy([{ level: 'preset', label: 'vs7', patch: PRESETS.vs7 }])
const WINDOW = 200_000
const PARTS = { identity: 'You keep the harbour log.' }
const NEXT: ContentMessage = { role: 'user', content: 'And the next berth?' }

const total = (messages: readonly ContentMessage[]) =>
  messages.reduce((sum, message) => sum + sizeOf(message), 0)

/** A conversation of exactly so many tokens, give or take two. */
function conversationOf(tokens: number): ContentMessage[] {
  const turns = turnsOf(40, 200)
  const lacking = tokens - total(turns)
  let filler = 'data '.repeat(lacking)
  filler = capSummary(filler, lacking - 4, estimateUnits)
  return [{ role: 'user', content: filler }, ...turns]
}

type Reply = string | Extract<SummarizerReply, { ok: false }>

/** A model that does what it is asked for: the identifiers and the newest request are in its answer. */
function soundReply({ prompt: { user } }: SummarizerRequest): string {
  const [, identifiers = ''] = /These must be among them: (.*)/.exec(user) ?? []
  const asks = [...user.matchAll(/Please do \w+ \d+ in \S+/g)]
  return soundSummary(`${asks.at(-1)?.[0] ?? 'the berth'} ${identifiers}`)
}

const down = (message: string): Reply => ({ ok: false, fault: 'http', message, again: false })

function rollingAgent(
  messages: readonly ContentMessage[],
  reply: (request: SummarizerRequest) => Reply = soundReply,
) {
  const asked: SummarizerRequest[] = []
  const model = {
    name: 'a/m',
    summarize: async (request: SummarizerRequest): Promise<SummarizerReply> => {
      asked.push(request)
      const answer = reply(request)
      return typeof answer === 'string' ? { ok: true, text: answer, usage: null } : answer
    },
  }
  const memory = transientMemory()
  const more = { chain: new SummaryChain([model], standingClock()), memory, window: WINDOW }
  return { asked, memory, more, ...liveAgent(messages, VS7, more) }
}

describe('the rolling summary', () => {
  test('E1: at 29,999 tokens there is none, above 30,000 there is', async () => {
    const below = rollingAgent(conversationOf(29_998))
    expect((await below.context.beforeResponse()).steps).toEqual([])
    const above = rollingAgent(conversationOf(30_010))
    expect((await above.context.beforeResponse()).steps).toEqual(['roll'])
  })

  test('E2, E4: the last five turns go out as they are, behind the summary in its tags', async () => {
    const messages = conversationOf(31_000)
    const { context, held } = rollingAgent(messages)
    await context.beforeResponse()
    const { messages: sent, history: left } = await context.request({ parts: PARTS, prompt: [NEXT] })
    expect(held.messages).toEqual(messages)
    expect(contentText(sent[0]?.message ?? NEXT)).toMatch(
      /^<prior-conversation-summary>\n.*Do not respond to it/,
    )
    const history = messages.slice(-5 * 4)
    expect(left.messages).toEqual(history)
    expect(contentText(sent[0]?.message ?? NEXT).endsWith(`\n\n${contentText(history[0] ?? NEXT)}`)).toBe(
      true,
    )
    expect(sent[0]).toMatchObject({ slot: 'history', merged: ['summary'], message: { role: 'user' } })
    expect(sent.slice(1, -1).map(({ message }) => message)).toEqual(history.slice(1))
  })

  test('E3: an answer that is too long is cut to 2,000 tokens', async () => {
    const { context, memory } = rollingAgent(
      conversationOf(31_000),
      (request) => `${soundReply(request)}\n${'- more words here\n'.repeat(2_000)}`,
    )
    await context.beforeResponse()
    const state = await memory.load('agent:harbour:main')
    expect(estimateUnits(state?.rolling?.text ?? '')).toBeLessThanOrEqual(2_000)
    expect(estimateUnits(state?.rolling?.text ?? '')).toBeGreaterThan(1_900)
  })

  test('E6: kept over a restart, asked for once, and extended by what is new alone', async () => {
    const { context, held, asked, more } = rollingAgent(conversationOf(31_000))
    await context.beforeResponse()
    const before = asked.length
    held.messages = [...held.messages, ...turnsOf(1)]
    await context.beforeResponse()
    const again = liveAgent(held.messages, VS7, more)
    await again.context.beforeResponse()
    expect(asked).toHaveLength(before)
    const added = turnsOf(160, 200, 'leg')
    again.held.messages = [...held.messages, ...added]
    expect((await again.context.beforeResponse()).steps).toEqual(['roll'])
    const prompts = asked.slice(before).map(({ prompt }) => prompt.user)
    expect(prompts[0]).toContain('<previous-summary>')
    expect(prompts[0]).not.toContain('do step 12 ')
    expect(prompts.join()).toContain('do leg 90')
  })

  test('E6: what a compaction said before is carried on, and not summarised as if it were new', async () => {
    const said = '## Goal\nKeep the harbour log.'
    const { context, asked } = rollingAgent([
      { role: 'user', content: injectedSummary(said) },
      ...conversationOf(31_000),
    ])
    expect((await context.beforeResponse()).steps).toEqual(['roll'])
    const prompts = asked.map(({ prompt: { user } }) => user).filter((text) => text.includes('harbour log.'))
    expect(prompts.length).toBeGreaterThan(0)
    for (const text of prompts) expect(text).toMatch(/<previous-summary>\s*## Goal\s+Keep the harbour log\./)
  })

  test('E6: recent turns that are above the trigger by themselves do not cost a request each', async () => {
    const heavy = turnsOf(12, 6_500)
    const { context, held, asked } = rollingAgent(heavy)
    await context.beforeResponse()
    let extended = 0
    for (let i = 0; i < 6; i++) {
      held.messages = [...held.messages, ...turnsOf(1, 6_500, 'leg')]
      extended += (await context.beforeResponse()).steps.length
    }
    expect(asked.length).toBeGreaterThan(0)
    expect(extended).toBeLessThanOrEqual(3)
  })

  test('E5: a model that fails costs a warning; history is cut to its limits, and the run goes on', async () => {
    const { context, memory } = rollingAgent(conversationOf(140_000), () => down('a/m is down.'))
    const done = await context.beforeResponse()
    expect(done.steps).toEqual([])
    expect(done.warnings.join()).toMatch(/No rolling summary.*a\/m is down/)
    const request = await context.request({ parts: PARTS, prompt: [NEXT] })
    expect(request.history.tokens).toBeLessThanOrEqual(request.budget?.clamped ?? 0)
    expect((await memory.load('agent:harbour:main'))?.rolling ?? null).toBeNull()
  })

  test('E5, U5: without its key a model is passed over, with a warning that names the variable', async () => {
    const message = 'a/m needs a key: set A_KEY.'
    const { context } = rollingAgent(conversationOf(31_000), () => down(message))
    expect((await context.beforeResponse()).warnings.join()).toContain('set A_KEY')
  })

  test('without any model the digest rolls along, and is made anew of everything', async () => {
    const { context, held } = liveAgent(conversationOf(31_000), VS7, { window: WINDOW })
    expect((await context.beforeResponse()).steps).toEqual(['roll'])
    const [first] = (await context.request({ parts: PARTS, prompt: [NEXT] })).messages
    expect(contentText(first?.message ?? NEXT)).toContain('Digest made without a model')
    expect(held.sets).toBe(0)
  })

  test('a conversation that was edited gets no summary of another one', async () => {
    const messages = conversationOf(31_000)
    const { context, held } = rollingAgent(messages)
    await context.beforeResponse()
    held.messages = turnsOf(30).slice(4)
    const { messages: sent } = await context.request({ parts: PARTS, prompt: [NEXT] })
    expect(sent.filter(({ slot }) => slot === 'summary')).toEqual([])
  })

  test('V3: with the window undivided nothing rolls', async () => {
    const policy = { ...VS7, budget: { ...VS7.budget, enabled: false } }
    const { context } = liveAgent(conversationOf(60_000), policy, { window: WINDOW })
    expect((await context.beforeResponse()).steps).toEqual([])
  })

  test('E14: recent turns that fill the budget make room for the summary', async () => {
    const rolling = { ...VS7.summary.rolling, windowTurns: 800 }
    const lines = { ...VS7.lines, hard: { enabled: false, at: 1 } }
    const policy = { ...VS7, lines, summary: { ...VS7.summary, rolling } }
    const { context } = liveAgent(turnsOf(1_200), policy, { window: WINDOW })
    expect((await context.beforeResponse()).steps).toEqual(['roll'])
    const { messages, budget } = await context.request({ parts: PARTS, prompt: [NEXT] })
    const sent = total(messages.map(({ message }) => message))
    expect(sent).toBeLessThanOrEqual(budget?.clamped ?? 0)
    expect(sent).toBeGreaterThan((budget?.clamped ?? 0) - 1_000)
  })

  test('E14: summary, history and prompt never exceed the history budget', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 10, max: 60 }),
        fc.integer({ min: 7_000, max: 40_000 }),
        async (turns, window) => {
          // Windows this small are refused otherwise.
          const policy = { ...VS7, window: { ...VS7.window, blockBelow: 0 } }
          const { context } = liveAgent(turnsOf(turns, 700), policy, { window })
          await context.beforeResponse([NEXT])
          const request = await context.request({ parts: PARTS, prompt: [NEXT] })
          expect(total(request.messages.map(({ message }) => message))).toBeLessThanOrEqual(
            request.budget?.clamped ?? 0,
          )
        },
      ),
      { numRuns: 25 },
    )
  })
})

describe('E6 a conversation that is summarised up to a place', () => {
  const said = (role: string, content: string): ContentMessage => ({ role, content }) as ContentMessage
  const talk = [
    said('user', 'Where is the keel?'),
    said('assistant', 'The keel lies at berth 2.'),
    said('user', 'And the mast?'),
    said('assistant', 'The mast lies at berth 9.'),
  ]
  const form = { ...CONTENT_FORM, tokensOf: sizeOf }
  /** @param covered so many messages have a summary already */
  const rolled = async (
    messages: readonly ContentMessage[],
    replies: Parameters<typeof scriptedSummarizer>[1] | null,
    { covered = 0, own = form } = {},
  ) => {
    const model = scriptedSummarizer('a/m', replies ?? [])
    const options = {
      ...{ policy: VS7, form: own, historyBudget: 200_000 },
      chain: replies === null ? null : new SummaryChain([model], standingClock()),
      summary: { sizeOf: estimateUnits, mask: (text: string) => text, isSecret: () => false },
    }
    const nothing = rolledView(messages, null, own)
    const first =
      covered === 0 ? null : await rollHistory(messages, nothing, covered, { ...options, chain: null })
    const view = first?.kind === 'rolled' ? rolledView(messages, first.state, own) : nothing
    const done = await rollHistory(messages, view, messages.length, options)
    return { done, prompt: model.asked[0]?.prompt.user ?? '' }
  }
  const textOf = ({ done }: Awaited<ReturnType<typeof rolled>>) =>
    done.kind === 'rolled' ? done.state.text : done.kind

  test('without a model everything is digested anew, also what a digest covers already', async () => {
    expect(textOf(await rolled(talk, null, { covered: 2 }))).toBe(textOf(await rolled(talk, null)))
  })

  test('what is covered is not read again, and a summary among what is new is', async () => {
    const news = [...talk, said('compactionSummary', 'The hull was tarred.')]
    const { prompt } = await rolled(news, [soundSummary('All is well.')], { covered: 2 })
    expect(prompt).toContain('The hull was tarred.')
    expect(prompt).not.toContain('[assistant] The keel')
  })

  test('a summary from before is given once, as what was said before', async () => {
    const before = [said('compactionSummary', 'The hull was tarred.'), ...talk]
    const { prompt } = await rolled(before, [soundSummary('All is well.')])
    expect(prompt.split('The hull was tarred.')).toHaveLength(2)
  })

  test('each is read at its place, and what is no part of a summary is left out', async () => {
    const own = {
      ...form,
      toSource: (message: ContentMessage, at: number) => {
        expect(talk[at]).toBe(message)
        return at === 1 ? null : form.toSource(message, at)
      },
    }
    const text = textOf(await rolled(talk, null, { own }))
    expect(text).toBe(textOf(await rolled(talk.with(1, said('assistant', '')), null)))
  })

  test('a request that is stopped leaves nothing', async () => {
    expect((await rolled(talk, [{ fault: 'aborted' }])).done).toEqual({ kind: 'stopped' })
  })
})

describe('the cap of a summary', () => {
  test('E3: never above, never a word changed, and as much as fits', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 60 }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 200 }),
        (lines, cap) => {
          const text = lines.join('\n')
          const capped = capSummary(text, cap, estimateUnits)
          expect(estimateUnits(capped)).toBeLessThanOrEqual(cap)
          expect(text.startsWith(capped)).toBe(true)
        },
      ),
    )
  })
})
