import type { ContentMessage } from '../core/history/thinking'
import type { CallQueue } from './guarded-agent'
import type { LiveParts } from './live-parts'
import type { SentPruning } from './live-pruning'
import type { SessionLife } from './session/session-life'
import type { StepKeeper } from './step-keeper'

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
