import type { ReplayEntry } from '../../core/replay/replay-entry'
import type { ReplaySession } from '../../core/replay/replay-session'
import type { ReplaySource } from '../../core/replay/replay-source'
import { inspectSession } from '../../engine/read/inspect-session'
import { replaySource } from '../../engine/replay/prepare-session'
import { preparedEntries, preparedPath } from '../../engine/replay/session-entries'
import { countRarity } from './count-rarity'
import { type LabSession, labSessions } from './lab-sessions'
import { preparedAtOnce } from './prepared-at-once'
import { RarityTable } from './rarity-table'

/** A session of the corpus in memory: what it is prepared from, and what comes of it. */
export type LabMaterial = LabSession & {
  readonly source: ReplaySource
  readonly entries: readonly ReplayEntry[]
  readonly replay: ReplaySession
}

/** Shorter sessions say nothing of what is needed later. Calls. */
const LEAST_CALLS = 5

/** The sessions of the corpus in this folder, prepared with how rare spans are over all of them. */
export async function labMaterial(corpus: string): Promise<LabMaterial[]> {
  const sessions: LabSession[] = []
  const table = new RarityTable()
  for await (const session of labSessions(corpus)) {
    sessions.push(session)
    if (session.isReal) await countRarity(session.reader, session.store, session.transcript, table)
  }
  const material: LabMaterial[] = []
  for (const one of sessions) {
    const { reader, store, transcript } = one
    const session = await inspectSession(reader, store, transcript, { sizes: true, texts: false })
    const { entries: path, passedOver } = preparedPath(session)
    const entries: ReplayEntry[] = []
    for await (const entry of preparedEntries(reader, session, path)) entries.push(entry)
    const source = { ...replaySource(session), passedOver, rarity: table.rarity }
    const replay = preparedAtOnce(source, entries)
    if (replay.calls.count >= LEAST_CALLS) material.push({ ...one, source, entries, replay })
  }
  return material
}
