import { expect, test } from 'vitest'
import { bootstrapCaps } from '../bootstrap/caps'
import { historyBudget } from '../budget/regions'
import { DEFAULT_POLICY } from '../policy/default-policy'
import { VS7_LINES } from './vs7-lines'

test('Q7: the six lines of VS7, with the numbers that its own formulas give', () => {
  const { budget, bootstrap } = DEFAULT_POLICY
  const { tokens, total } = bootstrapCaps(bootstrap, 20_000)
  const { formula } = historyBudget(200_000, budget, { system: 8_500, bootstrap: 3_200 })
  const stats = { contextWindow: 200_000, systemPrompt: 8_500, bootstrap: 3_200, historyBudget: formula }
  expect([
    VS7_LINES.bootstrap(tokens ?? 0, total),
    VS7_LINES.semantic(3, 1_500),
    VS7_LINES.triggering(47),
    VS7_LINES.summarized(35, 12, 8_500),
    VS7_LINES.injected(),
    VS7_LINES.stats({ ...stats, messagesIn: 47, messagesOut: 12, withSummary: true }),
    VS7_LINES.stats({ ...stats, messagesIn: 47, messagesOut: 47, withSummary: false }).slice(-14),
  ]).toEqual([
    'context management: bootstrap budget=20000 tokens, maxChars=80000',
    'semantic history: retrieved 3 chunks, 1500 tokens',
    'rolling summary: triggering summarization for 47 messages',
    'rolling summary: summarized 35 messages, kept 12, totalTokens=8500',
    'rolling summary: injected summary as leading context message',
    // The sample in VS7's description says 110300; its formula gives this.
    'context management: contextWindow=200000 systemPrompt=8500 bootstrap=3200 historyBudget=148300 messagesIn=47 messagesOut=12 (with rolling summary)',
    'messagesOut=47',
  ])
})
