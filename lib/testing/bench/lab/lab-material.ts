import { precisionsOf } from '../../../core/replay/needs/need-precision'
import { type NeedWeighing, weighNeeds } from '../../../core/replay/needs/weigh-needs'
import type { ReplayEntry } from '../../../core/replay/replay-entry'
import type { ReplaySession } from '../../../core/replay/replay-session'
import type { ReplaySource } from '../../../core/replay/replay-source'
import { SharedSpanCount } from '../../../core/replay/spans/shared-spans'
import { inspectSession } from '../../../engine/read/inspect-session'
import { replaySource } from '../../../engine/replay/prepare-session'
import { preparedEntries, preparedPath } from '../../../engine/replay/session-entries'
import { preparedAtOnce } from '../prepared-at-once'
import { type LabSession, labSessions } from './lab-sessions'

/** A session in memory: what it is prepared from, and what comes of it. */
export type LabMaterial = LabSession & {
  readonly source: ReplaySource
  readonly entries: readonly ReplayEntry[]
  /** With its needs weighed among all sessions, and as it is by itself. */
  readonly replay: ReplaySession
  readonly alone: ReplaySession
  readonly weighing: NeedWeighing
}

/** Shorter sessions say nothing of what is needed later. Calls. */
const LEAST_CALLS = 5

/** The sessions of the corpus in this folder, their needs weighed among those that a model answered. */
export function labMaterial(corpus: string): Promise<LabMaterial[]> {
  return materialOf(labSessions(corpus))
}

/** Sessions ready for replay, their needs weighed among those that a model answered. */
export async function materialOf(sessions: AsyncIterable<LabSession>): Promise<LabMaterial[]> {
  const spans = new SharedSpanCount()
  const material: Omit<LabMaterial, 'replay' | 'weighing'>[] = []
  for await (const one of sessions) {
    const { reader, store, transcript, isReal } = one
    const session = await inspectSession(reader, store, transcript, { sizes: true, texts: false })
    const { entries: path, passedOver } = preparedPath(session)
    const entries: ReplayEntry[] = []
    for await (const entry of preparedEntries(reader, session, path)) entries.push(entry)
    const source = { ...replaySource(session), passedOver }
    const alone = preparedAtOnce(source, entries)
    if (isReal) spans.add(alone.owner, alone.spanHashes)
    if (alone.calls.count >= LEAST_CALLS) material.push({ ...one, source, entries, alone })
  }
  const real = material.filter(({ isReal }) => isReal).map(({ alone }) => alone.writtenAgain)
  const precision = precisionsOf(real).map((one) => one.precision)
  const weighing = { shared: spans.finish(), precision }
  return material.map((one) => ({ ...one, weighing, replay: weighNeeds(one.alone, weighing) }))
}
