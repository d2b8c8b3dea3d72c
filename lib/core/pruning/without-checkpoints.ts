import { isObject } from '../transcript/json'
import { hasCheckpoint } from '../transcript/reading/read-checkpoint'

/**
 * A live context after a change, without the provider's checkpoints at and behind the first message that changed: they
 * represent the history as it was (lib/docs/openclaw.md#provider-checkpoints). Messages that were only added behind
 * change nothing.
 * @param before the same context before the change; unchanged messages are the same objects
 */
export function withoutStaleCheckpoints<M>(before: readonly M[], after: readonly M[]): readonly M[] {
  const first = before.findIndex((message, at) => message !== after[at])
  if (first < 0 || !after.some((message, at) => at >= first && carriesCheckpoint(message))) return after
  return after.map((message, at) => (at < first ? message : withoutCheckpoint(message)))
}

function withoutCheckpoint<M>(message: M): M {
  if (!carriesCheckpoint(message)) return message
  const { providerReplay: _, ...rest } = message as M & { readonly providerReplay?: unknown }
  return rest as M
}

function carriesCheckpoint(message: unknown): boolean {
  return isObject(message) && message.role === 'assistant' && hasCheckpoint(message)
}
