import type { CompactionPlan } from '../../core/compaction/plan'
import { mirrorRefusal, ownerNow } from '../../core/transcript/mirror'
import { inspectSession } from '../read/inspect-session'
import { type PeekPorts, peekTranscript } from '../repair/inspect-transcript'
import { readFileState } from '../write/file-state'
import { Refused } from '../write/refusal'
import type { CompactionPorts, CompactionRequest, LoadedSession } from './compaction-ports'
import { openPlanSource, type PlanSource } from './plan-session'

/** How often a session that is being written to is read before it is given up. */
const ATTEMPTS = 3

/**
 * Looks whether the transcript is sound. Damage further up does not keep a record from being added, and is repaired
 * only after the change was shown. A file whose header is missing belongs to no session.
 */
export async function damageNotes(
  look: PeekPorts,
  { path }: CompactionRequest['transcript'],
): Promise<string[]> {
  const looked = await peekTranscript(look, path)
  if (looked.kind === 'refused') throw new Refused(looked.refusal.code, looked.refusal.message)
  const { check } = looked
  if (check.kind === 'headless')
    throw new Refused('unsafe', `${path} does not begin with a session header; it is not compacted.`)
  if (check.ok) return []
  const { length } = check.findings
  return [
    `The transcript is damaged in ${length} ${length === 1 ? 'place' : 'places'}; "plimsoll repair" shows where.`,
  ]
}

/** Reads a session, and makes sure that it is that of one file and not of two. */
export async function loadSource(ports: CompactionPorts, request: CompactionRequest): Promise<LoadedSession> {
  const { writer, reader } = ports
  const { store, transcript } = request
  const path = await writer.files.realPath(transcript.path)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const expected = await readFileState(writer, path)
    if (expected === null) throw new Refused('missing', `${transcript.path} is not there any more.`)
    const inspected = await inspectSession(reader, store, transcript, { sizes: true })
    const owner = ownerNow(transcript.index, inspected.facts)
    if (owner !== null) throw new Refused('not-supported', mirrorRefusal(owner))
    const source = await openPlanSource(reader, inspected, 'next')
    const after = await writer.files.stat(path)
    if (source !== null && after?.size === expected.size && after.mtimeNs === expected.mtimeNs)
      return { source, expected }
  }
  throw new Refused('changed', `${transcript.path} is being written to; try again when its turn has ended.`)
}

/** Whether a session that was read again has nothing but new entries behind what was planned. */
export function hasOnlyGrown(before: PlanSource, after: PlanSource, plan: CompactionPlan): boolean {
  const [old, now] = [before.session.facts, after.session.facts]
  const same = old.every(
    (fact, i) => fact.id === now[i]?.id && fact.offset === now[i]?.offset && fact.bytes === now[i]?.bytes,
  )
  const added = after.path.slice(before.path.length)
  const onPath = before.path.every(({ fact }, i) => fact.seq === after.path[i]?.fact.seq)
  const bounded = added.some(({ fact }) => fact.type === 'compaction' || fact.type === 'reset')
  return same && onPath && !bounded && after.path.some(({ fact }) => fact.id === plan.firstKeptEntryId)
}
