import { describe, expect, test } from 'vitest'
import type { ContentMessage } from '../core/history/thinking'
import { DEFAULT_POLICY } from '../core/policy/default-policy'
import { estimateUnits } from '../core/tokens/estimate'
import { sizeOf } from '../testing/live-conversation'
import { CONTENT_FORM } from './content-form'
import type { ContextManagerOptions } from './manager-options'
import { openAgent } from './opened-agent'
import { PortProblems } from './port-problems'

/** What is before a conversation, for an agent that is opened after a request with these parts. */
async function fixed(
  fixedTokens: ContextManagerOptions<ContentMessage>['fixedTokens'],
  system = { prompt: 0, files: 0 },
  messages: readonly ContentMessage[] = [],
) {
  const given = { session: 's', form: CONTENT_FORM, clock: { now: () => 7 } }
  const { parts } = openAgent<ContentMessage>(
    { ...given, getContext: () => messages, setContext: () => undefined },
    {
      ...{ policy: DEFAULT_POLICY, window: 32_000, key: null, promptCache: null, countText: estimateUnits },
      fixedTokens,
    },
    {
      ...{ sent: { system }, problems: new PortProblems(), tokensOf: sizeOf, ofMessage: () => 5 },
      moment: () => 0,
      snapshot: async () => null,
    },
  )
  await parts.agent.held()
  // The window of this policy is not divided.
  expect(parts.historyBudget()).toBe(0)
  return parts.fixedTokens()
}

describe('what is before a conversation', () => {
  test('is what the agent says, now or when it is asked, and nothing where it says nothing', async () => {
    expect(await fixed(400)).toBe(400)
    expect(await fixed(() => 300)).toBe(300)
    expect(await fixed(undefined)).toBe(0)
  })

  test('is the system prompt and the files of the last request as well, and instructions in front', async () => {
    expect(await fixed(400, { prompt: 70, files: 8 })).toBe(478)
    const rule: ContentMessage = { role: 'system', content: 'Never open berth 9.' }
    const ask: ContentMessage = { role: 'user', content: 'Which berth is free?' }
    expect(await fixed(400, { prompt: 70, files: 8 }, [rule, rule, ask])).toBe(488)
  })
})
