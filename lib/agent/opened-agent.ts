import type { TokensOf } from '../core/history/message'
import type { ContentMessage } from '../core/history/thinking'
import type { TextEstimator } from '../core/tokens/estimate'
import { plainCallScope } from '../engine/jobs/call-scope'
import { summaryRules, type WorkspaceSnapshot } from '../engine/workspace/workspace'
import { budgetBeside, type RequestState } from './assemble-request'
import { agentInParts } from './conversation'
import { CallQueue } from './guarded-agent'
import type { LiveAgent } from './live-agent'
import type { LiveParts } from './live-parts'
import { SentPruning } from './live-pruning'
import type { ContextManagerOptions } from './manager-options'
import { openLiveParts } from './open-live-parts'
import type { PortProblems } from './port-problems'
import { SessionLife } from './session/session-life'
import { StepKeeper } from './step-keeper'

/** What a manager has of an agent whose context it changes. */
export type OpenedAgent<M extends ContentMessage> = {
  readonly parts: LiveParts<M>
  readonly keeper: StepKeeper<M>
  readonly queue: CallQueue
  readonly pruning: SentPruning<M>
  /** null: nothing is written down. */
  readonly life: SessionLife<M> | null
}

/** For a manager that was made without an agent. Its code is `NO_AGENT`. */
export function noAgent(): Error {
  const message =
    'This ContextManager changes nothing: give it `agent` (getContext, setContext, …) when it is made.'
  return Object.assign(new Error(message), { code: 'NO_AGENT' })
}

/** What the parts of a manager ask of it while it works. */
type KnownOfManager<M> = {
  /** Of the request that was made last. */
  readonly sent: Pick<RequestState, 'system'>
  readonly problems: PortProblems
  readonly tokensOf: TokensOf<M>
  /** Of a message as the agent holds it, before it is taken into parts. */
  readonly ofMessage: TokensOf<M>
  /** Grows with each call from outside. */
  readonly moment: () => number
  readonly snapshot: () => Promise<WorkspaceSnapshot | null>
}

/** Makes what a manager works with of the agent that it was given. */
export function openAgent<M extends ContentMessage>(
  given: LiveAgent<M>,
  options: ContextManagerOptions<M> & { readonly countText: TextEstimator },
  { sent, problems, tokensOf, ofMessage, moment, snapshot }: KnownOfManager<M>,
): OpenedAgent<M> {
  const { policy, window, fixedTokens: fixed = 0, scope = plainCallScope() } = options
  const life = SessionLife.of(given, window, problems)
  /** What instructions in front of the conversation take. Tokens. */
  let instructions = 0
  const agent = agentInParts(life?.watched() ?? given, {
    sizeOf: ofMessage,
    noteSize: (part, tokens) => parts.gauge.noteSize(part, tokens),
    noteInstructions: (messages) => {
      instructions = messages.reduce((tokens, message) => tokens + ofMessage(message), 0)
    },
    moment,
  })
  const parts = openLiveParts(agent, { ...options, tokensOf }, scope, {
    fixedTokens: () => {
      const { prompt, files } = sent.system
      return (typeof fixed === 'number' ? fixed : fixed()) + prompt + files + instructions
    },
    historyBudget: () => budgetBeside(policy, window, sent.system)?.clamped ?? 0,
    workspaceRules: async () => summaryRules(await snapshot()),
  })
  const pruning = new SentPruning({ agent, policy, window, form: { ...agent.form, tokensOf } })
  return { parts, keeper: new StepKeeper(parts), queue: new CallQueue(scope), pruning, life }
}
