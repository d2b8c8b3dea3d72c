import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../policy/default-policy'
import type { ChunkMessage } from '../pruning/context-chunks'
import { seedScorer } from '../relevance/seed-scorer'
import { addResults, prepareTrial, type TrialPolicy, trialDrops } from './drop-trial'
import { needsOf, RARE, unmetNeeds } from './needs/needs'
import { trialChunks } from './trial-chunks'

const START = Date.parse('2026-11-01T08:00:00Z')
const HOUR = 3_600_000

/** Turns of a user, a call and its result: half an hour each. */
function session(turns: readonly { readonly ask: string; readonly path: string; readonly result: string }[]) {
  const messages: ChunkMessage[] = []
  const add = (
    message: Omit<ChunkMessage, 'entryId' | 'tokens' | 'at' | 'calls'> & Partial<ChunkMessage>,
  ) => {
    const at = START + messages.length * (HOUR / 4)
    messages.push({
      entryId: `e${messages.length}`,
      tokens: Math.ceil(message.text.length / 4) + 10,
      at,
      calls: [],
      ...message,
    })
  }
  for (const [n, { ask, path, result }] of turns.entries()) {
    add({ role: 'user', text: ask })
    add({ role: 'assistant', text: '', calls: [{ id: `t${n}`, name: 'read', input: { path } }] })
    add({ role: 'toolResult', text: result, resultFor: `t${n}` })
  }
  return trialChunks(messages)
}

const policy = (cutoff: number, more: Partial<TrialPolicy['relevance']> = {}): TrialPolicy => ({
  ...DEFAULT_POLICY,
  relevance: { ...DEFAULT_POLICY.relevance, cutoff, minChunks: 2, ...more },
  history: { ...DEFAULT_POLICY.history, recentTurns: 0 },
  pruning: {
    ...DEFAULT_POLICY.pruning,
    keepLastMessages: 0,
    keepRecentMs: 0,
    toolResultsAfterMs: 0,
    alwaysKeep: [],
  },
})

const filler = (word: string) => `${`${word} went well and there is nothing else to tell of it. `.repeat(20)}`
const forgetful = session([
  {
    ask: 'read the harbour plan',
    path: 'a.md',
    result: `see src/harbour/berth-seven.ts ${filler('harbour')}`,
  },
  ...Array.from({ length: 10 }, (_, i) => ({
    ask: `now cake number ${i}`,
    path: `cakes/recipe${i}.md`,
    result: filler(`cake${i}`),
  })),
  { ask: 'the last cake', path: 'src/harbour/berth-seven.ts', result: 'the berth' },
  { ask: 'thanks', path: 'z.md', result: '-' },
])

describe('W4 a trial of thresholds on a recorded session', () => {
  const trial = prepareTrial(forgetful, seedScorer(DEFAULT_POLICY.relevance), RARE)

  test('.25 against .30: the difference is in chunks, tokens and lost needs', () => {
    const none = trialDrops(trial, policy(-1), 0)
    expect(none).toMatchObject({ dropped: 0, tokensSent: none.tokensAll, needs: { lost: 0 } })
    const [low, high] = [0.02, 0.3].map((cutoff) => trialDrops(trial, policy(cutoff, { keep: cutoff }), 0))
    expect(high?.dropped).toBeGreaterThan(low?.dropped ?? 0)
    expect(high?.tokensSent).toBeLessThan(low?.tokensSent ?? 0)
    expect(high?.tokensAll).toBe(none.tokensAll)
    // The path in the first result was asked for at the end, when it had been dropped.
    expect(high?.needs.lost).toBeGreaterThan(0)
    expect(high?.longRange.lost).toBeGreaterThan(0)
  })

  test('nothing happens below the trigger', () => {
    expect(trialDrops(trial, policy(0.9, { keep: 0.9 }), 1e6)).toMatchObject({ dropped: 0, passes: 0 })
  })

  test('what is summarised is neither kept nor lost: it is not known', () => {
    const result = trialDrops(trial, policy(-1, { keep: 1 }), 0)
    expect(result.summarised).toBe(0)
    const long = { ...policy(-1, { keep: 1 }), summary: { ...DEFAULT_POLICY.summary, targetTokens: 5 } }
    const short = trialDrops(trial, long, 0)
    expect(short).toMatchObject({ dropped: 0, needs: { lost: 0 } })
    expect(short.summarised).toBeGreaterThan(0)
    expect(short.needs.summarised).toBeGreaterThan(0)
  })

  test('sessions add up, and the same record gives the same result', () => {
    const one = trialDrops(trial, policy(0.3), 0)
    expect(
      trialDrops(prepareTrial(forgetful, seedScorer(DEFAULT_POLICY.relevance), RARE), policy(0.3), 0),
    ).toEqual(one)
    expect(addResults([one, one])).toMatchObject({ calls: one.calls * 2, tokensSent: one.tokensSent * 2 })
  })
})

describe('needs', () => {
  test('are what a call wrote that was in earlier chunks alone, and weigh more in arguments than in prose', () => {
    const chunks = [
      { text: 'src/lib/harbour.ts', written: null },
      { text: 'src/lib/harbour.ts', written: { prose: '', inputs: 'src/lib/harbour.ts src/lib/unknown.ts' } },
      { text: 'x', written: { prose: 'it is src/lib/harbour.ts', inputs: '' } },
    ]
    expect(needsOf(chunks, RARE)).toEqual([
      { at: 1, sources: [0], weight: 0.8 },
      { at: 2, sources: [0, 1], weight: 0.4 },
    ])
  })

  test('are unmet when every source was dropped before; those share the blame', () => {
    const needs = [
      { at: 5, sources: [1, 2], weight: 0.8 },
      { at: 5, sources: [1, 3], weight: 0.8 },
      { at: 2, sources: [1], weight: 0.8 },
    ]
    const dropped = new Map([
      [1, 4],
      [2, 4],
    ])
    expect([...unmetNeeds(needs, (chunk) => dropped.get(chunk))]).toEqual([
      [1, 0.4],
      [2, 0.4],
    ])
  })
})
