import type { Figure } from '../../core/tokens/figure'
import { Branches } from '../../core/transcript/branches'
import { contextAt } from '../../core/transcript/context'
import { LaneStoppedError, type Lanes } from '../jobs/lanes'
import { type InspectedSession, inspectSession } from '../read/inspect-session'
import type { FoundStore, FoundTranscript, StoreReader } from '../read/ports'
import type { Gateway } from './gateway-port'

export type GatewayCompaction =
  | {
      readonly kind: 'compacted'
      readonly recordId: string
      /** null: nothing from before it stays word for word. */
      readonly firstKeptEntryId: string | null
      readonly sessionId: string
      readonly tokensBefore: Figure
      readonly tokensAfter: Figure
    }
  | { readonly kind: 'nothing'; readonly reason: string | null }
  /** The gateway says that it compacted, and the database does not bear it out. */
  | { readonly kind: 'unverified'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'stopped' }

/**
 * Has OpenClaw's own gateway compact a session that it keeps in its database, and believes nothing but the database: a
 * new record of a compaction, whose first kept entry is there, and a context that begins with it and goes on with what
 * it keeps.
 */
export async function compactByGateway(
  ports: { readonly reader: StoreReader; readonly lanes: Lanes; readonly gateway: Gateway },
  request: {
    readonly store: FoundStore
    readonly transcript: FoundTranscript
    readonly signal?: AbortSignal
  },
): Promise<GatewayCompaction> {
  const { reader, lanes, gateway } = ports
  const { store, transcript, signal } = request
  const { key, agent } = transcript
  if (key === null)
    return {
      kind: 'failed',
      message: `${transcript.sessionId} has no session key, by which gateways know sessions.`,
    }
  const work = async (): Promise<GatewayCompaction> => {
    const before = await inspectSession(reader, store, transcript)
    const reply = await gateway.compact({ key, agent, signal })
    if (reply.kind !== 'answered') return reply
    if (!reply.compacted) return { kind: 'nothing', reason: reply.reason }
    return verified(before, await current(reader, store, transcript, key))
  }
  try {
    return await lanes.run(`${store.root} ${key}`, work, { signal })
  } catch (error) {
    if (error instanceof LaneStoppedError) return { kind: 'stopped' }
    throw error
  }
}

/** The session as its key names it now: a compaction may have begun another transcript for it. */
async function current(
  reader: StoreReader,
  store: FoundStore,
  transcript: FoundTranscript,
  key: string,
): Promise<InspectedSession> {
  let now = transcript
  for await (const found of reader.list(store))
    if (found.key === key && found.agent === transcript.agent && found.state === 'live') now = found
  return inspectSession(reader, store, now)
}

function verified(before: InspectedSession, after: InspectedSession): GatewayCompaction {
  const branches = Branches.of(after.facts)
  const path = branches.path(branches.leaf).flatMap((seq) => branches.facts[seq] ?? [])
  const known = new Set(before.facts.map(({ id }) => id))
  const at = path.findLastIndex(({ type, id }) => type === 'compaction' && !known.has(id))
  const record = path[at]
  if (record === undefined || record.id === null)
    return unverified('there is no new record of a compaction in the database')
  const context = contextAt(branches, branches.leaf, after.store.kind, 'full')
  if (context[0]?.fact.seq !== record.seq)
    return unverified('its context does not begin with the new summary')
  const kept = branches.firstKept(
    path.map(({ seq }) => seq),
    at,
  )
  const { firstKeptEntryId = record.id } = record
  // A record that names no entry, or itself, keeps nothing of what was before it.
  if (kept < 0 && firstKeptEntryId !== record.id)
    return unverified(`the first entry that it keeps, ${firstKeptEntryId}, is not there`)
  const stays = new Set(path.slice(kept < 0 ? at + 1 : kept).map(({ seq }) => seq))
  if (!context.slice(1).every(({ fact }) => stays.has(fact.seq)))
    return unverified('its context holds entries from before the first one that it keeps')
  return {
    kind: 'compacted',
    recordId: record.id,
    firstKeptEntryId: kept < 0 ? null : firstKeptEntryId,
    sessionId: after.transcript.sessionId,
    tokensBefore: before.next.total,
    tokensAfter: after.next.total,
  }
}

function unverified(why: string): GatewayCompaction {
  return { kind: 'unverified', message: `The gateway says that it compacted the session, but ${why}.` }
}
