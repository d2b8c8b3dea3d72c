import 'server-only'
import { ContextRun, type RunPrefix, runLeaf } from '../../core/tokens/context-run'
import { routeOfCall } from '../../core/transcript/context'
import type { SessionDetail } from '../../db/queries/session-detail'
import { startsTurn } from '../../view/session/branch-marks'
import { remember } from '../process/remember'
import { getBranches } from './session-branches'

/** A session is compacted every few hundred calls; so many stretches between two compactions are kept of it. */
const RUNS_KEPT = 16

type Kept = {
  /** From the root to the leaf. */
  readonly path: readonly number[]
  runs: readonly ContextRun[]
}

/** 50,000 entries in one run are about 8 MB. */
const runsOf = remember<number, Kept>('runs', 4)

/** The run that holds the context of the call at sequence number `seq`, and how much of it that is. */
export async function getRun(
  session: SessionDetail,
  seq: number,
): Promise<{ readonly run: ContextRun; readonly prefix: RunPrefix }> {
  const branches = await getBranches(session)
  const known = runsOf(session.row, session.revision, () => ({
    path: branches.path(branches.leaf),
    runs: [],
  }))
  const leaf = branches.parentOf(seq)
  const route = routeOfCall(branches, seq)
  for (const run of known.runs) {
    const prefix = run.prefix(leaf, route)
    if (prefix !== null) return { run, prefix }
  }
  const sender = session.store.kind
  const run = new ContextRun(branches, runLeaf(branches, known.path, leaf), {
    sender,
    startsTurn,
    route,
  })
  known.runs = [run, ...known.runs].slice(0, RUNS_KEPT)
  const prefix = run.prefix(leaf, route)
  if (prefix === null) throw new Error(`The context of entry ${seq} is not a part of the run made for it.`)
  return { run, prefix }
}
