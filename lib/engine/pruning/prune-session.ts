import type { Policy } from '../../core/policy/policy'
import { pruneContext } from '../../core/pruning/prune-context'
import { type PruneIndex, pruneIndex } from '../../core/pruning/prune-index'
import { type PruneMessage, pruneMessage } from '../../core/pruning/prune-message'
import { type PrunePreview, prunePlan, rulesAlone } from '../../core/pruning/prune-plan'
import type { PruneRuleName } from '../../core/pruning/prune-rule-names'
import { rulesOf } from '../../core/pruning/prune-rules'
import type { Frame } from '../../core/tokens/frame'
import { type EntryTokens, frameEntries } from '../../core/tokens/frame-entries'
import { Branches } from '../../core/transcript/branches'
import { callEntries, contextAt, isCall } from '../../core/transcript/context'
import type { EntryFact } from '../../core/transcript/entry'
import { isObject, type JsonObject } from '../../core/transcript/json'
import type { Milliseconds } from '../../core/units/units'
import { planWindow } from '../compaction/plan-session'
import type { InspectedSession } from '../read/inspect-session'
import type { StoreReader } from '../read/ports'
import { readSources } from '../read/read-sources'

/** The context of a session at one call, read so far that pruning can be planned again and again. */
export type PruneSource = {
  readonly session: InspectedSession
  /** 1-based number of the call, or the one that would be made now. */
  readonly call: number | 'next'
  /** Calls of the session. */
  readonly calls: number
  readonly frame: Frame
  /** How far its estimates may be off; null when it does not say. Percent. */
  readonly errorPct: number | null
  /** What is sent, in order, and the same as pruning sees it. */
  readonly sent: readonly EntryTokens[]
  readonly index: PruneIndex
  /** When the cache of the provider was last touched before the call; null when nothing tells. */
  readonly lastTouchAt: Milliseconds | null
  /** When the call was made; null for the next one. */
  readonly at: number | null
}

/** Runtimes that prune by the age of the provider's cache note when they touched it. */
const CACHE_TOUCH = 'openclaw.cache-ttl'

/**
 * Reads the context that a call is given, with what its messages say. null when there is no such call.
 * @throws SourceProblem when entries are not where they were read
 */
export async function openPruneSource(
  reader: StoreReader,
  session: InspectedSession,
  call: number | 'last' | 'next',
): Promise<PruneSource | null> {
  const { facts, frames, next, store } = session
  const branches = Branches.of(facts)
  const number = call === 'last' ? frames.length : call
  const frame = number === 'next' ? next : frames[number - 1]
  const answer = number === 'next' ? null : (callEntries(facts)[number - 1] ?? null)
  if (frame === undefined || (number !== 'next' && answer === null)) return null
  const leaf = answer === null ? branches.leaf : branches.parentOf(answer)
  const sent = frameEntries(contextAt(branches, leaf, store.kind), frame, store.kind).filter(
    ({ entry }) => entry.sent,
  )
  const path = branches.path(leaf).flatMap((seq) => branches.facts[seq] ?? [])
  return {
    session,
    call: number,
    calls: frames.length,
    frame,
    errorPct: frame.errorPct,
    sent,
    index: pruneIndex(await readMessages(reader, session, sent)),
    lastTouchAt: touchedAt(path),
    at: answer === null ? null : (branches.facts[answer]?.at ?? null),
  }
}

/**
 * What rules would let go of a context as it was read; nothing is written anywhere, for pruning is what is sent.
 * @param rules null: those that the policy has switched on
 * @param now milliseconds since the epoch, for the next call
 */
export function pruneSession(
  source: PruneSource,
  policy: Policy,
  rules: readonly PruneRuleName[] | null,
  now: Milliseconds,
): PrunePreview {
  const { index, lastTouchAt, at } = source
  const window = planWindow(source, policy)
  const context = pruneContext(index, { policy, window, now: at ?? now, lastTouchAt })
  const chosen = rules ?? rulesOf(policy)
  return { context, alone: rulesAlone(context), chosen, plan: prunePlan(context, chosen) }
}

/** The newest note of a touch; runtimes that write none touched the cache with their newest call. */
function touchedAt(path: readonly EntryFact[]): number | null {
  const noted = path.findLast(({ type, customType }) => type === 'custom' && customType === CACHE_TOUCH)
  return (noted ?? path.findLast(isCall))?.at ?? null
}

async function readMessages(
  reader: StoreReader,
  { store, transcript }: InspectedSession,
  sent: readonly EntryTokens[],
): Promise<PruneMessage[]> {
  // A compaction may be behind what it keeps in the file, and before it in the context.
  const order = sent.map((_, place) => place).sort((a, b) => seqOf(sent[a]) - seqOf(sent[b]))
  const places = order.flatMap((place) => sent[place]?.entry.fact ?? [])
  const messages: PruneMessage[] = []
  let i = 0
  for await (const text of readSources(reader, store, transcript, places)) {
    const place = order[i] ?? 0
    i += 1
    const part = sent[place]
    if (part === undefined) continue
    const { fact } = part.entry
    messages[place] = pruneMessage(messageIn(text), {
      entryId: fact.id ?? '',
      tokens: part.tokens,
      at: fact.at,
    })
  }
  return messages
}

function seqOf(part: EntryTokens | undefined): number {
  return part?.entry.fact.seq ?? 0
}

/** The message of a line as a model gets it; an entry of another type as the message that represents it. */
function messageIn(line: string): JsonObject {
  let entry: unknown
  try {
    entry = JSON.parse(line)
  } catch {
    return { role: 'custom' }
  }
  if (!isObject(entry)) return { role: 'custom' }
  switch (entry.type) {
    case 'message':
      return isObject(entry.message) ? entry.message : { role: 'custom' }
    case 'compaction':
      return { role: 'compactionSummary', summary: entry.summary }
    case 'branch_summary':
      return { role: 'branchSummary', summary: entry.summary }
    default:
      return { role: 'custom', content: entry.content }
  }
}
