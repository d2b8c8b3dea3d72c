import { agentsOf, linkAgents, MOST_AGENT_DEPTH } from '../../core/transcript/agent-links'
import type { Milliseconds } from '../../core/units/units'
import { type InspectedSession, inspectSession } from './inspect-session'
import type { FoundStore, FoundTranscript, StoreReader } from './ports'

type Listed = { readonly store: FoundStore; readonly transcript: FoundTranscript }

/** A sub-agent of a session, read; `depth` 1: its own, 2: one of those. */
export type InspectedAgent = { readonly session: InspectedSession; readonly depth: number }

/**
 * The sub-agents of a session and theirs, each read whole. Which those are, indexes tell, and the beginnings of
 * transcripts that may be theirs by what the listing says.
 */
export async function findAgents(
  reader: StoreReader,
  listed: readonly Listed[],
  top: Listed,
): Promise<InspectedAgent[]> {
  const { kind } = top.store
  const found: { one: Listed; parent: string | null }[] = []
  for (const one of listed) {
    const { store, transcript } = one
    if (store.kind !== kind || transcript.problem !== undefined || transcript.state !== 'live') continue
    const isTop = transcript.id === top.transcript.id
    if (isTop) found.push({ one, parent: null })
    else if (mayWork(one, top)) found.push({ one, parent: await parentOf(reader, one) })
  }
  const links = linkAgents(found, ({ one: { store, transcript }, parent }) => {
    const { sessionId, key } = transcript
    return { store: store.root, kind: store.kind, sessionId, key, parent }
  })
  const children = agentsOf(links)
  const agents: InspectedAgent[] = []
  const seen = new Set<unknown>()
  const walk = async (from: (typeof found)[number], depth: number) => {
    seen.add(from)
    if (depth > MOST_AGENT_DEPTH) return
    for (const child of children.get(from) ?? []) {
      if (seen.has(child)) continue
      const { store, transcript } = child.one
      agents.push({ session: await inspectSession(reader, store, transcript, { texts: false }), depth })
      await walk(child, depth + 1)
    }
  }
  const start = found.find(({ one }) => one.transcript.id === top.transcript.id)
  if (start !== undefined) await walk(start, 1)
  return agents
}

/**
 * Whether a transcript may be a sub-agent's, by its listing. Codex says so only within; its ids begin with the time at
 * which a session began, and a sub-agent begins while its session runs.
 */
function mayWork({ store, transcript }: Listed, top: Listed): boolean {
  if (transcript.index?.spawnedBy !== undefined) return true
  if (store.kind !== 'codex') return transcript.agent !== null
  const [began, topBegan] = [beginning(transcript.sessionId), beginning(top.transcript.sessionId)]
  return !(began < topBegan) && !(began > top.transcript.stamp.mtimeMs)
}

/** The time in an id of version 7: its first 48 bits. NaN where there is none. */
function beginning(id: string): Milliseconds {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16)
}

/** The session that a transcript names as the one that it works for, by its index or its header. */
async function parentOf(reader: StoreReader, { store, transcript }: Listed): Promise<string | null> {
  const { index } = transcript
  if (index?.spawnedBy !== undefined) return index.spawnedBy
  // These two say it in their index alone.
  if (store.kind === 'openclaw' || store.kind === 'pi') return null
  for await (const { facts } of reader.read(store, transcript, null, () => undefined, { texts: false }))
    return facts.find(({ header }) => header !== undefined)?.header?.agentOf ?? null
  return null
}
