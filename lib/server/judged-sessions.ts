import 'server-only'
import type { JudgedSession } from '../core/logs/judge-drops'
import type { Policy } from '../core/policy/policy'
import { logisticScorer } from '../core/relevance/logistic-scorer'
import type { Scorer } from '../core/relevance/score'
import { seedScorer } from '../core/relevance/seed-scorer'
import { type PreparedTrial, prepareTrial, type TrialChunk } from '../core/replay/drop-trial'
import { needsOf, RARE } from '../core/replay/needs'
import type { SessionDetail } from '../db/queries/session-detail'
import { chunksOfSession } from '../engine/trial-session'
import { sourceOf } from './entry-source'
import { getInspected } from './inspected-session'
import { oncePerProcess } from './process-memory'
import { RecentlyUsed } from './recently-used'

/** Sessions that are kept as chunks; a long one takes some megabytes. */
const KEPT = 12

type Kept<T> = { readonly stamp: string; readonly value: Promise<T> }

const judged = oncePerProcess('judged-sessions', () => new RecentlyUsed<number, Kept<JudgedSession>>(KEPT))
const prepared = oncePerProcess('prepared-trials', () => new RecentlyUsed<number, Kept<PreparedTrial>>(KEPT))

/** The chunks and needs of a session, worked out once until it changes. @throws SourceProblem */
export function getJudgedSession(session: SessionDetail): Promise<JudgedSession> {
  return once(judged, session, String(session.revision), async () => {
    const { chunks } = await chunksOfSession(sourceOf(session).reader, await getInspected(session))
    return { chunks, needs: needsOf(chunks, RARE) }
  })
}

/** A session ready for trials with the scorer of a policy. @throws SourceProblem */
export function getPreparedTrial(
  session: SessionDetail,
  relevance: Policy['relevance'],
): Promise<PreparedTrial> {
  const { cutoff: _cutoff, keep: _keep, ...scoring } = relevance
  return once(prepared, session, `${session.revision} ${JSON.stringify(scoring)}`, async () => {
    const { chunks } = await getJudgedSession(session)
    return prepareTrial(chunks as readonly TrialChunk[], scorerOf(relevance), RARE)
  })
}

function scorerOf(relevance: Policy['relevance']): Scorer {
  return relevance.scorer === 'logistic' ? logisticScorer() : seedScorer(relevance)
}

function once<T>(
  memory: RecentlyUsed<number, Kept<T>>,
  { row }: SessionDetail,
  stamp: string,
  make: () => Promise<T>,
): Promise<T> {
  const known = memory.get(row)
  if (known?.stamp === stamp) return known.value
  const value = make()
  memory.set(row, { stamp, value })
  // A failure is not an answer: the next request tries again.
  value.catch(() => memory.delete(row))
  return value
}
