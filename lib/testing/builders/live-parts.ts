import { CONTENT_FORM } from '../../agent/content-form'
import { agentInParts } from '../../agent/conversation'
import type { LiveAgent } from '../../agent/live-agent'
import type { LiveParts } from '../../agent/live-parts'
import { openLiveParts } from '../../agent/open-live-parts'
import type { TokensOf } from '../../core/history/message'
import type { ContentMessage } from '../../core/history/thinking'
import type { Policy } from '../../core/policy/policy'
import { plainCallScope } from '../../engine/jobs/call-scope'
import { sizeOf } from '../live-conversation'

type Live = LiveParts<ContentMessage>

/** What the ladder of a live agent works with, for a part of it that is tried by itself; `held` is its conversation. */
export function livePartsOf(
  messages: readonly ContentMessage[],
  policy: Policy,
  {
    window = 32_000,
    tokensOf = sizeOf,
    fixedTokens = () => 0,
    ...more
  }: Partial<LiveAgent<ContentMessage>> & {
    readonly window?: number
    readonly tokensOf?: TokensOf<ContentMessage>
    readonly fixedTokens?: () => number
  } = {},
): { readonly parts: Live; readonly held: { messages: readonly ContentMessage[]; sets: number } } {
  const held = { messages, sets: 0 }
  const agent: LiveAgent<ContentMessage> = {
    session: 'agent:harbour:main',
    form: CONTENT_FORM,
    clock: { now: () => Date.parse('2026-11-21T10:00:00Z') },
    getContext: () => held.messages,
    setContext: (next) => {
      held.messages = next
      held.sets += 1
    },
    ...more,
  }
  const known = { fixedTokens, historyBudget: () => 0, workspaceRules: async () => null }
  const inParts = agentInParts(agent, { sizeOf: tokensOf })
  return { parts: openLiveParts(inParts, { policy, window, tokensOf }, plainCallScope(), known), held }
}
