import type { EntryFact } from './entry'
import { type CallRoute, isOwnSession, isSameRoute, type Route } from './fold/call-route'
import {
  type CheckpointFamily,
  isUsable,
  type ProviderCheckpoint,
  type UsableCheckpoint,
} from './provider-checkpoint'

/** APIs that take checkpoints of OpenAI's Responses, as OpenClaw 2026.9 lists them. */
const RESPONSES_APIS: ReadonlySet<string> = new Set([
  'openai-responses',
  'azure-openai-responses',
  'openai-chatgpt-responses',
  'openclaw-openai-responses-transport',
  'openclaw-openai-chatgpt-responses-transport',
  'openclaw-azure-openai-responses-transport',
])

/** What is sent in place of the full history: the checkpoint at index `owner`, its message's rest, all that follows. */
export type Replay = { readonly owner: number; readonly checkpoint: UsableCheckpoint }

/** Families of checkpoints that a call can take; one whose API is not known can take any. */
export function familiesOf(api: string | null): readonly CheckpointFamily[] {
  if (api === null) return ['openai', 'anthropic']
  if (RESPONSES_APIS.has(api)) return ['openai']
  return api === 'anthropic-messages' ? ['anthropic'] : []
}

/**
 * Looks for the checkpoint that a call is sent with, from the newest assistant message backwards, as OpenClaw does
 * (lib/docs/openclaw.md#provider-checkpoints); null: the full history. Entries that a local boundary keeps are not
 * among `entries`: it takes their checkpoints away.
 */
export function findReplay(entries: readonly EntryFact[], route: CallRoute): Replay | null {
  for (const family of familiesOf(route.api)) {
    const found = findInFamily(entries, family, route)
    if (found !== null) return found
  }
  return null
}

function findInFamily(
  entries: readonly EntryFact[],
  family: CheckpointFamily,
  route: CallRoute,
): Replay | null {
  for (let at = entries.length - 1; at >= 0; at--) {
    const checkpoint = entries[at]?.checkpoint
    if (checkpoint === undefined || checkpoint.family !== family) continue
    if (checkpoint.kind === 'suppression') {
      if (isSameRoute(checkpoint.route, route)) return null
      continue
    }
    return isUsable(checkpoint) && isSameRoute(checkpoint.route, route) ? { owner: at, checkpoint } : null
  }
  return null
}

/** Whether a refusal of the provider concerns a checkpoint, as far as transcripts tell. */
export function suppresses(refused: Route, route: Route, session: string | null): boolean {
  return (
    refused.provider === route.provider &&
    refused.model === route.model &&
    refused.api === route.api &&
    isOwnSession(refused, session)
  )
}

/** Whether an entry changes which checkpoint later calls are sent with. */
export function changesReplay({ checkpoint }: { readonly checkpoint?: ProviderCheckpoint }): boolean {
  return checkpoint !== undefined && checkpoint.family !== null
}

/** The message of a checkpoint as it is sent: the checkpoint in place of what it covers. */
export function replayedOwner(fact: EntryFact, checkpoint: UsableCheckpoint): EntryFact {
  const { rest, restCalls, restImages, units } = checkpoint
  // What is sent of a failed turn is the checkpoint alone.
  const failed = fact.stopReason === 'error' || fact.stopReason === 'aborted'
  return {
    ...fact,
    units: { ...(failed ? {} : rest), summary: units },
    images: failed || restImages === 0 ? undefined : restImages,
    calls: failed || restCalls === 0 ? undefined : fact.calls?.slice(-restCalls),
    // Reported for the whole answer and the compaction together.
    usage: null,
    stopReason: failed ? undefined : fact.stopReason,
    blank: undefined,
    silent: undefined,
  }
}

/** Whether results are sent whose calls it covers: with checkpoints of the Responses API they are. */
export function keepsOrphans({ family }: UsableCheckpoint): boolean {
  return family === 'openai'
}
