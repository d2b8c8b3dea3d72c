import { logFolder } from '../../compose/logs'
import { loggedKinds } from '../../core/logs/logged-kinds'
import type { Policy } from '../../core/policy/policy'
import { liveAgent, sizeOf, turnsOf } from '../live-conversation'
import { type Effect, effects } from './effect'

/** What an agent is asked at so much of its window. */
const asked = (share: number) => async (policy: Policy) => {
  const messages = turnsOf(60)
  const size = messages.reduce((sum, message) => sum + sizeOf(message), 0)
  const window = Math.round((size * policy.counting.safetyMargin) / share)
  return (await liveAgent(messages, policy, { window }).context.beforeResponse()).flush
}

const folder = ({ logs }: Policy) =>
  logFolder({ environment: { home: '/state', stores: null, userHome: '/home' } } as never, logs)

export const FLUSHES_AND_LOGS: readonly Effect[] = [
  // The compact line of the default policy is at half the window.
  ...effects(asked(0.48), { lines: { flush: { at: [] } } }, { 'flush.softThresholdTokens': [0, 4_000] }),
  ...effects(
    asked(0.55),
    {},
    {
      'flush.delivery': [['system'], ['user']],
      'flush.prompts': [[], ['Save it in memory/YYYY-MM-DD.md.']],
      'flush.systemPrompt': ['', 'Be brief.'],
    },
  ),
  ...effects(folder, {}, { 'logs.path': ['/a', '/b'] }),
  ...effects(
    ({ logs }) => loggedKinds(logs),
    {},
    {
      'logs.compaction': [true, false],
      'logs.curation': [true, false],
      'logs.drops': [true, false],
      'logs.recovery': [true, false],
    },
  ),
]
