import 'server-only'
import { overrideSubject } from '../../core/budget/session-loads'
import { joinFits, type PolicyFit } from '../../core/compaction/policy-fit'
import { NO_SUBJECT } from '../../core/policy/effective'
import { runtimePolicy } from '../../core/policy/runtime/runtime-policy'
import type { Database } from '../../db/client'
import {
  type CompactedSession,
  readCompactedSessions,
  readFactsAndFrames,
} from '../../db/queries/compacted-sessions'
import { findKnownStores } from '../../db/queries/known-stores'
import { fitOfRecord } from '../../engine/read/session-fit'
import { fitCounts, fitOther, type PolicyFitView } from '../../view/policy/policy-fit-view'
import { sessionTitle } from '../../view/session/session-title'
import { visibleLine } from '../../view/text/visible-text'
import { getDatabase } from '../process/database'
import { oncePerProcess } from '../process/process-memory'
import { getPoliciesInForce, type PoliciesInForce } from './policies-in-force'

/** No more of the single compactions than this travel to a page. */
const OTHERS_SHOWN = 100

type Kept = { readonly revision: number; readonly policies: number; readonly fit: PolicyFit }

const kept = oncePerProcess('policy-fits', () => new Map<number, Kept>())

/**
 * How well what the runtimes do explains the recorded compactions of all sessions. Only sessions that have changed, or
 * all when a settings file has, are searched again, one at a time, so that other requests have their turn.
 */
export async function getPolicyFit(): Promise<PolicyFitView> {
  const database = await getDatabase()
  const policies = await getPoliciesInForce()
  const sessions = readCompactedSessions(database)
  const fits: { readonly session: CompactedSession; readonly fit: PolicyFit }[] = []
  for (const session of sessions) {
    const known = kept.get(session.row)
    if (known?.revision === session.revision && known.policies === policies.revision) {
      fits.push({ session, fit: known.fit })
      continue
    }
    await new Promise((resolve) => setImmediate(resolve))
    const fit = fitOf(database, policies, session)
    kept.set(session.row, { revision: session.revision, policies: policies.revision, fit })
    fits.push({ session, fit })
  }
  const present = new Set(sessions.map(({ row }) => row))
  for (const row of kept.keys()) if (!present.has(row)) kept.delete(row)
  return viewOf(database, policies, fits)
}

function fitOf(database: Database, { runtimeOf }: PoliciesInForce, session: CompactedSession): PolicyFit {
  const { facts, frames } = readFactsAndFrames(database, session.row)
  const judge = {
    store: runtimeOf(session.storeId),
    subject: overrideSubject(session),
    recorded: session.recorded,
  }
  return fitOfRecord(facts, frames, session.storeKind, judge)
}

function viewOf(
  database: Database,
  { runtimeOf }: PoliciesInForce,
  fits: readonly { readonly session: CompactedSession; readonly fit: PolicyFit }[],
): PolicyFitView {
  const stores = findKnownStores(database).map(({ id, label }) => {
    const own = fits.filter(({ session }) => session.storeId === id)
    const newest = own[0]?.session
    const who = { ...NO_SUBJECT, provider: newest?.provider ?? null, at: newest?.updatedAt ?? null }
    const { runtime } = runtimePolicy(runtimeOf(id), who)
    return {
      id,
      label: visibleLine(label),
      runtime: visibleLine(runtime.name),
      files: runtime.files.map(visibleLine),
      assumed: runtime.assumed.map(visibleLine),
      fit: fitCounts(joinFits(own.map(({ fit }) => fit))),
    }
  })
  const sessions = fits.map(({ session, fit }) => ({
    id: session.id,
    title: sessionTitle(session),
    fit,
  }))
  const others = sessions
    .flatMap((session) => session.fit.others.map((one) => fitOther(session, one)))
    .sort((a, b) => Number(b.counts) - Number(a.counts))
  return {
    stores,
    sessions: sessions.map(({ id, title, fit }) => ({ id, title, fit: fitCounts(fit) })),
    others: others.slice(0, OTHERS_SHOWN),
    othersInAll: others.length,
  }
}
