import { describe, expect, it } from 'vitest'
import type { Policy } from '../core/policy/policy'
import { estimateUnits } from '../core/tokens/estimate'
import { SummaryChain } from '../engine/summary/summary-chain'
import { TEXT_POLICY, type TextMessage, textOptions, textTurns } from '../testing/builders/text-conversation'
import { scriptedSummarizer, soundSummary, standingClock } from '../testing/scripted-summarizer'
import { compactMessages, fittingPolicy, type LiveCompactionOptions, planMessages } from './live-compaction'

const keeping = (keepRecentTokens: number, windowTurns?: number): Policy => ({
  ...TEXT_POLICY,
  compaction: { ...TEXT_POLICY.compaction, keepRecentTokens },
  summary: {
    ...TEXT_POLICY.summary,
    rolling: {
      ...TEXT_POLICY.summary.rolling,
      ...(windowTurns === undefined ? {} : { enabled: true, windowTurns }),
    },
  },
})
const asked = (...replies: Parameters<typeof scriptedSummarizer>[1]) =>
  new SummaryChain([scriptedSummarizer('a/m', replies)], standingClock())

async function compacted(
  messages: readonly TextMessage[],
  more: Partial<LiveCompactionOptions<TextMessage>>,
) {
  const done = await compactMessages(messages, textOptions(more))
  if (done.kind !== 'compacted') throw new Error(done.kind)
  return { ...done, text: done.messages[0]?.text ?? '', kept: done.messages.slice(1) }
}

/** The form of these messages, of which some are hidden from summaries. */
const hiding = (isHidden: (message: TextMessage) => boolean) => {
  const { form } = textOptions()
  const toSource: typeof form.toSource = (message, index) =>
    isHidden(message) ? null : form.toSource(message, index)
  return { ...form, toSource }
}

describe('E4 a summary that a model writes', () => {
  it('has what was asked last added word for word, where that does not stay', async () => {
    const ask = { role: 'user', text: 'Which berth has the tallest crane of the harbour?' }
    const working = textTurns(12).filter(({ role }) => role !== 'user')
    const chain = asked(soundSummary('All is well.'))
    const { summary, plan } = await compacted([ask, ...working], { chain })
    expect([plan.summary.source, summary.source]).toEqual(['model', 'model'])
    expect(summary.text).toContain(ask.text)
  })

  it('may be a quarter of the window at most', async () => {
    const model = scriptedSummarizer('a/m', ['no'])
    const rolling = { ...TEXT_POLICY.summary.rolling, maxTokens: 10_000 }
    const policy = { ...TEXT_POLICY, summary: { ...TEXT_POLICY.summary, rolling } }
    const chain = new SummaryChain([model], standingClock())
    const { plan } = await compacted(textTurns(80), { chain, policy, window: 16_000 })
    expect(plan.summary.tokens * 2).toBeGreaterThan(4_000)
    expect(Math.max(...model.asked.map(({ maxTokens }) => maxTokens))).toBe(4_000)
  })

  it('is asked for with no earlier one where there is none', async () => {
    const model = scriptedSummarizer('a/m', ['no'])
    const [ask, ...rest] = textTurns(12)
    const said = { role: 'assistant', text: 'The word is sesame-9.' }
    const chain = new SummaryChain([model], standingClock())
    await compacted([ask as TextMessage, said, ...rest], { chain })
    const prompts = model.asked.map(({ prompt }) => prompt.user.split('sesame-9').length - 1)
    expect(Math.max(...prompts)).toBe(1)
  })

  it('that is stopped leaves all as it is', async () => {
    const messages = textTurns(20)
    const done = await compactMessages(messages, textOptions({ chain: asked({ fault: 'aborted' }) }))
    expect(done).toEqual({ kind: 'stopped', messages })
  })

  it('names what is too large for any summary, unless nobody may read that', async () => {
    const huge: TextMessage = { role: 'assistant', text: `A list: ${'berth '.repeat(40_000)}` }
    const messages = [...textTurns(2), huge, ...textTurns(12)]
    const chain = asked(soundSummary('All is well.'))
    const { plan, text } = await compacted(messages, { chain })
    expect(plan.requests.oversized).toEqual([8])
    const tokens = Math.round((estimateUnits(huge.text) + 4) / 1000)
    expect(text).toMatch(new RegExp(`assistant.*${tokens}K`, 'i'))
    const hidden = await compacted(messages, { chain, form: hiding((message) => message === huge) })
    expect(hidden.text).not.toMatch(new RegExp(`${tokens}K`))
  })
})

describe('E11 a text that covers the beginning already', () => {
  const covering = { id: 'k', at: 0, text: 'CHECKPOINT: all is kept.', uptoSeq: 60, tokens: 9 }

  const steps = (text: string) => [...text.matchAll(/src\/step(\d+)\.ts/g)].map(([, step]) => Number(step))

  it('is followed by what came after it alone, up to what stays, and by the rules of the workspace', async () => {
    const workspaceRules = 'Never touch berth 9.'
    const more = { covering, policy: keeping(300), workspaceRules }
    const { text, kept } = await compacted(textTurns(20), more)
    expect(text).toContain('CHECKPOINT: all is kept.')
    expect(text).toContain(workspaceRules)
    expect(kept[0]?.text).toContain('Please do step 19')
    expect(new Set(steps(text))).toEqual(new Set([16, 17, 18]))
  })

  it('is followed by nothing that nobody may read', async () => {
    const form = hiding(({ text }) => text.includes('step 17'))
    const { text } = await compacted(textTurns(20), { covering, policy: keeping(300), form })
    expect(new Set(steps(text))).toEqual(new Set([16, 18]))
  })
})

describe('E4 what a summary is made of', () => {
  it('is nothing of an earlier summary that nobody may read', async () => {
    const before: TextMessage = { role: 'user', text: 'So far.', summary: true }
    const form = hiding((message) => message === before)
    const { text } = await compacted([before, ...textTurns(20)], { form })
    expect(text).not.toContain('So far.')
  })

  it('is recorded with what is before the conversation', () => {
    const recorded = (fixedTokens: number) => {
      const plan = planMessages(textTurns(20), textOptions({ fixedTokens }))
      return plan.kind === 'plan' ? plan.recordTokensBefore : Number.NaN
    }
    expect(recorded(3_000) - recorded(0)).toBe(3_000)
  })

  it('H7: includes what the agent itself marks', () => {
    const [ask, ...rest] = textTurns(20)
    const form = { ...textOptions().form, isImportant: (message: TextMessage) => message === rest[3] }
    const plan = planMessages([ask as TextMessage, ...rest], textOptions({ form }))
    const pinned = plan.kind === 'plan' ? plan.chunks.filter(({ rule }) => rule === 'pinned') : []
    expect(pinned.map(({ seqs }) => seqs)).toEqual([[4]])
  })
})

describe('D28 a policy that makes a conversation fit', () => {
  const short = Array.from({ length: 60 }, (_, i): TextMessage => {
    return { role: i % 2 === 0 ? 'user' : 'assistant', text: `Berth ${i}: ${'word '.repeat(40)}` }
  })
  const all = short.reduce((sum, { text }) => sum + estimateUnits(text) + 4, 0)
  const fitting = (policy: Policy, room: number) => {
    const { compaction, summary } = fittingPolicy(short, textOptions({ policy }), room)
    return [compaction.keepRecentTokens, summary.rolling.windowTurns]
  }

  it('keeps fewer turns, also where nothing is kept by its size', () => {
    const [tokens, turns] = fitting(keeping(0, 16), all / 2)
    expect(tokens).toBe(0)
    expect(turns).toBeLessThan(16)
    expect(turns).toBeGreaterThan(0)
  })

  it('keeps fewer turns where these are all there are', () => {
    const [, turns] = fitting(keeping(0, 64), all - 1)
    expect(turns).toBeLessThan(64)
    expect(fitting(keeping(0, 64), all)).toEqual([0, 64])
  })

  it('keeps 256 tokens, and not fewer', () => {
    const heldBy = (policy: Policy) => {
      const plan = planMessages(short, textOptions({ policy }))
      return plan.kind === 'plan' ? (plan.tokensAfter.value ?? 0) - 3_000 : all
    }
    expect(fitting(keeping(512, 0), heldBy(keeping(256, 0)))[0]).toBe(256)
    expect(fitting(keeping(510, 0), heldBy(keeping(255, 0)))[0]).toBe(0)
  })
})
