import type { LiveCompactionOptions } from '../../agent/live-compaction'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import type { Policy } from '../../core/policy/policy'
import { estimateUnits } from '../../core/tokens/estimate'

/** A message that is a text, of an agent that has nothing else. */
export type TextMessage = {
  role: string
  text: string
  calls?: { id: string }[]
  resultFor?: string
  summary?: true
}

/** Keeps 2,000 tokens, and no turns besides. */
export const TEXT_POLICY: Policy = {
  ...DEFAULT_POLICY,
  compaction: { ...DEFAULT_POLICY.compaction, keepRecentTokens: 2_000 },
  summary: { ...DEFAULT_POLICY.summary, rolling: { ...DEFAULT_POLICY.summary.rolling, enabled: false } },
}

/** A compaction of such messages in a window of 32,000 tokens, without a model. */
export const textOptions = (
  more: Partial<LiveCompactionOptions<TextMessage>> = {},
): LiveCompactionOptions<TextMessage> => ({
  policy: TEXT_POLICY,
  window: 32_000,
  form: {
    tokensOf: ({ text }) => estimateUnits(text) + 4,
    toSource: ({ role, text, summary }, index) => ({
      entryId: `m${index}`,
      line: index + 1,
      role: summary
        ? 'summary'
        : role === 'user' || role === 'assistant' || role === 'toolResult'
          ? role
          : 'other',
      text,
      calls: [],
      images: 0,
    }),
    fromText: (text) => ({ role: 'user', text, summary: true }),
    isSummary: ({ summary }) => summary === true,
  },
  fixedTokens: 3_000,
  chain: null,
  focus: null,
  manual: false,
  summary: { sizeOf: estimateUnits, mask: (text) => text, isSecret: () => false },
  ...more,
})

/** Turns of a user, a call with its result, and an answer; about 350 tokens each. */
export function textTurns(turns: number): TextMessage[] {
  return Array.from({ length: turns }, (_, i): TextMessage[] => [
    { role: 'user', text: `Please do step ${i} in src/step${i}.ts. ${'word '.repeat(80)}` },
    { role: 'assistant', text: '', calls: [{ id: `c${i}` }] },
    { role: 'toolResult', text: `result ${i} ${'data '.repeat(200)}`, resultFor: `c${i}` },
    { role: 'assistant', text: `We decided to keep step ${i} because it works.` },
  ]).flat()
}
