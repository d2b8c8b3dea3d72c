import 'server-only'
import { needsLostByPlan, type PlanNeeds } from '../../core/replay/needs/plan-needs'
import { withFullStop } from '../../core/words/full-stop'
import { preparedSessions } from '../../db/commands/prepared-sessions'
import { refusedNeeds } from '../../db/commands/refused-needs'
import { findReplaySession } from '../../db/queries/replay-sessions'
import { type OneReady, oneReadySession } from '../../engine/replay/ready-sessions'
import type { LaterNeedsView } from '../../view/compaction/later-needs'
import type { PlanKnobs } from '../../view/compaction/plan-knobs'
import { formatCount, formatPercent, formatQuantity } from '../../view/text/format'
import { shownText } from '../../view/text/shown-text'
import { labThreads } from '../lab/lab-threads'
import { getDatabase } from '../process/database'
import { writtenFor } from './digest-preview'
import { makeSessionPlan } from './session-plan'

/** Named ones. */
const WORST = 3

/**
 * What a plan at a past call would have lost of what was needed later; null when there is no such session or call, or
 * nothing to compact. A session that is not ready for replay is made so by a separate thread.
 */
export async function getLaterNeeds(id: string, knobs: PlanKnobs): Promise<LaterNeedsView | null> {
  const made = await makeSessionPlan(id, knobs)
  if (made === null || made.plan.kind === 'nothing') return null
  const { source, plan } = made
  if (source.call === 'next') return { kind: 'unknown', why: 'Nothing came after this call yet.' }
  const callEntry = source.session.frames[source.call - 1]?.seq
  const ready = await readySession(id)
  if (ready === null || callEntry === undefined)
    return {
      kind: 'unknown',
      why: 'This session cannot be replayed: it repeats another one, or is not read.',
    }
  if (!ready.ok)
    return {
      kind: 'unknown',
      why: withFullStop(`This session could not be made ready for replay: ${ready.problem}`),
    }
  const seqs = (isKept: boolean) =>
    new Set(plan.chunks.flatMap((chunk) => ((chunk.action === 'keep') === isKept ? chunk.seqs : [])))
  const summary = await writtenFor(made, plan)
  const found = needsLostByPlan(ready.session, { callEntry, kept: seqs(true), left: seqs(false), summary })
  return found === null
    ? { kind: 'unknown', why: 'This call is on no path that leads to the end of the session.' }
    : viewOf(found)
}

/** The session, ready for replay; null: it repeats another one, was not read, has no calls, or is no longer there. */
async function readySession(id: string): Promise<OneReady | null> {
  const database = await getDatabase()
  const candidate = findReplaySession(database, id)
  if (candidate === null) return null
  const { connection } = database
  const kept = { prepared: preparedSessions(connection), refused: refusedNeeds(connection) }
  return oneReadySession(() => labThreads(1), kept, candidate)
}

function viewOf({ needs, weight, lost, lostWeight }: PlanNeeds): LaterNeedsView {
  const share = weight === 0 ? '' : `, ≈ ${formatPercent(lostWeight / weight)} of their weight`
  return {
    kind: 'needs',
    isAny: lost.length > 0,
    sentence:
      needs === 0
        ? 'Nothing of this context was needed by a later call.'
        : lost.length === 0
          ? `All ${formatQuantity(needs, 'later need')} would have been met.`
          : `${formatCount(lost.length)} of ${formatQuantity(needs, 'later need')} would have found nothing that holds them${share}.`,
    worst: lost.slice(0, WORST).map((one) => ({
      key: `${one.call} ${one.text}`,
      text: shownText(one.text),
      words: `${one.kind} · weight ${one.weight.toFixed(2)} · written by call ${formatCount(one.call + 1)}`,
      source: one.entry,
      needed: one.callEntry,
    })),
  }
}
