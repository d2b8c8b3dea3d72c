import { type Figure, UNKNOWN } from '../tokens/figure'
import { type Frame, hasFailed } from '../tokens/frame'
import type { Branches } from '../transcript/branches'
import { contextAt, contextOfCall } from '../transcript/context'
import type { EntryFact } from '../transcript/entry'
import { isOwnSession, routeHash } from '../transcript/fold/call-route'
import { isReadable, isUsable, type ProviderCheckpoint } from '../transcript/provider-checkpoint'
import type { Sender } from '../transcript/send-rules'

/** What a provider's record of its compaction says. */
export type ProviderCompaction = {
  /** As the record names it; null when that cannot be read. */
  readonly name: string | null
  readonly model: string | null
  /** Whether what it kept is text; else it is encrypted, and what it kept is unknown. */
  readonly readable: boolean
  /** First characters of a readable summary. */
  readonly text?: string
  /** UTF-16 units of its data. */
  readonly chars: number
  /** Messages that were kept as they are beside it; 0 where it says nothing of any. */
  readonly windowMessages: number
  /** Why it cannot be read; absent when it can. */
  readonly problem?: string
}

/** What is odd about a compaction on the provider's side. */
export type CheckpointOddity =
  /** Its record cannot be read: the full history is sent. */
  | 'unreadable'
  /** Its window cannot be read: OpenClaw sends nothing until the session is compacted anew. */
  | 'needs-rebuild'
  /** It was made for another session, of which this transcript is a copy: the full history is sent. */
  | 'other-session'

export function providerCompaction(checkpoint: ProviderCheckpoint): ProviderCompaction {
  if (!isUsable(checkpoint)) {
    const problem = checkpoint.kind === 'broken' ? checkpoint.problem : undefined
    return {
      name: null,
      model: null,
      readable: false,
      chars: 0,
      windowMessages: 0,
      ...(problem && { problem }),
    }
  }
  const { route, text, chars, windowMessages = 0 } = checkpoint
  const { provider: name, model } = route
  const readable = isReadable(checkpoint)
  return { name, model, readable, ...(text !== undefined && { text }), chars, windowMessages }
}

/**
 * What a provider's compaction changed for calls on its own route: entries that are not sent any more, the prompt of
 * the first such call after it, and what is odd.
 * @param frames of all calls, in file order
 * @param afterCall number of the call that answered with it
 */
export function checkpointEffect(
  branches: Branches,
  frames: readonly Frame[],
  fact: EntryFact,
  afterCall: number,
  sender: Sender,
): {
  readonly summarised: readonly number[]
  /** The prompt of the first call after it; unknown where none was answered. */
  readonly promptAfter: Figure
  readonly oddities: readonly CheckpointOddity[]
} {
  const { checkpoint } = fact
  const none = (oddity: CheckpointOddity) => ({ summarised: [], promptAfter: UNKNOWN, oddities: [oddity] })
  if (!isUsable(checkpoint)) return none('unreadable')
  if (checkpoint.kind === 'stale') return none('needs-rebuild')
  const session = routeHash(branches.facts[0]?.header?.sessionId ?? '') ?? null
  if (!isOwnSession(checkpoint.route, session)) return none('other-session')
  const { provider, model, api } = checkpoint.route
  const before = contextOfCall(branches, fact.seq, sender)
  const after = contextAt(branches, fact.seq, sender, { provider, model, api, hidden: null, session })
  const staying = new Set(after.map((entry) => entry.fact.seq))
  return {
    summarised: before.flatMap((entry) => (staying.has(entry.fact.seq) ? [] : entry.fact.seq)),
    promptAfter: firstPrompt(branches, frames, afterCall, fact),
    oddities: [],
  }
}

/** Calls of other branches and models may be between; many more than a few do not. */
const LOOK_AHEAD = 5

function firstPrompt(
  branches: Branches,
  frames: readonly Frame[],
  afterCall: number,
  { seq, checkpoint }: EntryFact,
): Figure {
  for (const frame of frames.slice(afterCall, afterCall + LOOK_AHEAD)) {
    if (hasFailed(frame)) continue
    const isOnRoute =
      isUsable(checkpoint) &&
      frame.provider === checkpoint.route.provider &&
      frame.model === checkpoint.route.model
    if (isOnRoute && branches.path(frame.seq).includes(seq)) return frame.total
  }
  return UNKNOWN
}
