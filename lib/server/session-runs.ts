import 'server-only'
import { ContextRun, type RunPrefix, runLeaf } from '../core/tokens/context-run'
import type { Branches } from '../core/transcript/branches'
import type { SessionDetail } from '../db/queries/session-detail'
import { startsTurn } from '../view/branch-marks'
import { oncePerProcess } from './process-memory'
import { RecentlyUsed } from './recently-used'
import { getBranches } from './session-branches'

/** A session is compacted every few hundred calls; so many stretches between two compactions are kept of it. */
const RUNS_KEPT = 16

type Kept = {
  readonly revision: number
  /** From the root to the leaf. */
  readonly path: readonly number[]
  runs: readonly ContextRun[]
}

/** 50,000 entries in one run are about 8 MB. */
const kept = oncePerProcess('runs', () => new RecentlyUsed<number, Kept>(4))

/** The run that holds the context of the call at sequence number `seq`, and how much of it that is. */
export async function getRun(
  session: SessionDetail,
  seq: number,
): Promise<{ readonly run: ContextRun; readonly prefix: RunPrefix }> {
  const branches = await getBranches(session)
  const known = keptOf(session, branches)
  const leaf = branches.parentOf(seq)
  for (const run of known.runs) {
    const prefix = run.prefix(leaf)
    if (prefix !== null) return { run, prefix }
  }
  const sender = session.store.kind === 'pi' ? 'pi' : 'openclaw'
  const run = new ContextRun(branches, runLeaf(branches, known.path, leaf), { sender, startsTurn })
  known.runs = [run, ...known.runs].slice(0, RUNS_KEPT)
  const prefix = run.prefix(leaf)
  if (prefix === null) throw new Error(`The context of entry ${seq} is not a part of the run made for it.`)
  return { run, prefix }
}

function keptOf({ row, revision }: SessionDetail, branches: Branches): Kept {
  const known = kept.get(row)
  if (known?.revision === revision) return known
  const fresh: Kept = { revision, path: branches.path(branches.leaf), runs: [] }
  kept.set(row, fresh)
  return fresh
}
