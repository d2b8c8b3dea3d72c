import type { Policy, PolicyPatch } from '../../core/policy/policy'
import { compactionPlan } from '../builders/compaction-plan'
import { TranscriptBuilder } from '../builders/transcript'
import { type Effect, effects } from './effect'

/** A session of some 60k tokens: turns with a call and a result, and one message that no request can carry. */
function story(): string {
  const builder = new TranscriptBuilder()
  for (let i = 0; i < 30; i++) {
    builder.user(`Please do part ${i}. ${'word '.repeat(300)}`)
    builder.assistant('', { calls: [`c${i}`], usage: { input: 2_000 + i * 2_000, output: 20 } })
    builder.result(`c${i}`, 'x '.repeat(i === 3 ? 30_000 : 2_500))
    builder.assistant(`Part ${i} is done.`, { usage: { input: 2_000 + i * 2_000, output: 30 } })
  }
  return builder.text()
}

const text = story()

const plan =
  (window: number, checkpoint: { uptoSeq: number; tokens: number } | null = null) =>
  (policy: Policy) => {
    const { plan: made } = compactionPlan(text, policy, { window, checkpoint })
    if (made.kind === 'nothing') return made.why
    const { requests, firstKeptEntryId, summary, after } = made
    return { requests, firstKeptEntryId, summary, after }
  }

const SMALL_TAIL: PolicyPatch = {
  compaction: { keepRecentTokens: 5_000 },
  summary: { rolling: { enabled: false } },
}

export const PLANS: readonly Effect[] = [
  ...effects(plan(100_000), {}, { 'history.maxShare': [0.5, 0.05], 'compaction.mode': ['safeguard', 'off'] }),
  ...effects(plan(100_000), { history: { maxShare: 0.05 } }, { 'compaction.withinShare': [true, false] }),
  ...effects(
    plan(200_000),
    { summary: { rolling: { enabled: false } } },
    {
      'compaction.keepRecentTokens': [5_000, 20_000],
    },
  ),
  ...effects(plan(60_000), SMALL_TAIL, {
    'compaction.parts': [2, 5],
    'compaction.oversizedShare': [0.2, 0.9],
  }),
  ...effects(plan(60_000), SMALL_TAIL, { 'compaction.minMessages': [2, 10_000] }),
  ...effects(
    plan(200_000),
    { compaction: { keepRecentTokens: 1_000 } },
    {
      'summary.rolling.enabled': [true, false],
      'summary.rolling.windowTurns': [2, 8],
    },
  ),
  ...effects(plan(200_000, { uptoSeq: 60, tokens: 500 }), SMALL_TAIL, {
    'summary.checkpoint.coverage': [0.1, 0.95],
  }),
]
