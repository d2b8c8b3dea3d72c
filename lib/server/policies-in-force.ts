import 'server-only'
import { stampFiles } from '../adapters/policy-files'
import { SessionLoads } from '../core/budget/session-loads'
import { readFillRows } from '../db/queries/fill-rows'
import { findKnownStores } from '../db/queries/known-stores'
import type { PolicyDocument } from '../engine/policy-store'
import { type FileFault, fileFaults } from '../view/file-faults'
import { openPolicies, type Policies } from '../wire/policies'
import { getDatabase } from './database'
import { type RankedRow, rankRows } from './fill-ranking'
import { labelDocuments } from './policies'
import { storeFilesOf } from './policy-session'
import { oncePerProcess } from './process-memory'
import { settingsFaults } from './settings-faults'
import { getSetup } from './setup'
import { untilChange } from './until-change'

/** The policies that stand in the files now. */
export type PoliciesInForce = {
  /** Another number for other contents; names what was worked out with them. */
  readonly revision: number
  readonly loads: SessionLoads
  /** Files that cannot be read, or not all of them. */
  readonly faults: readonly FileFault[]
  /** Why no file could be read, so that these are the defaults; null when they could. */
  readonly problem: string | null
}

type Kept = { readonly stamp: string; readonly files: readonly string[]; readonly inForce: PoliciesInForce }

const state = oncePerProcess('policies-in-force', (): { kept: Kept | null; revision: number } => ({
  kept: null,
  revision: 0,
}))

/**
 * The policies in force for sessions, read again only when one of the files has changed: a look at a file costs
 * microseconds. Lists are not lost because a configuration cannot be read: then they are measured by the defaults.
 */
export async function getPoliciesInForce(): Promise<PoliciesInForce> {
  const stores = findKnownStores(await getDatabase())
  const policies = openPolicies(getSetup(), stores)
  const labels = stores.map(({ id, label }) => `${id} ${label}`).join('\n')
  const stampOf = (files: readonly string[]) => [labels, ...files, stampFiles(files)].join('\n')
  const { kept } = state
  if (kept !== null && kept.stamp === stampOf(filesOf(policies, kept.files))) return kept.inForce
  state.revision += 1
  const { revision } = state
  const before = stampOf(policies.places)
  try {
    const documents = labelDocuments(await policies.documents(), stores)
    const own = documents.find(({ role, exists }) => role === 'own' && exists) ?? null
    const included = documents.flatMap(({ includes }) => includes)
    const loads = new SessionLoads((root) => ({ own, store: storeFilesOf(documents, root), chosen: null }))
    const inForce = { revision, loads, faults: faultsOf(documents), problem: null }
    // What was changed while it was read is read again the next time.
    const settled = before === stampOf(policies.places)
    const files = filesOf(policies, included)
    state.kept = settled ? { stamp: stampOf(files), files: included, inForce } : null
    return inForce
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    const loads = new SessionLoads(() => ({ own: null, store: [], chosen: null }))
    return { revision, loads, faults: [], problem }
  }
}

function faultsOf(documents: readonly PolicyDocument[]): FileFault[] {
  return fileFaults(
    documents.map(({ path, role, text, file }) => ({
      ...{ path, role },
      problems: role === 'own' ? [...file.problems, ...settingsFaults(path, text)] : file.problems,
    })),
  )
}

function filesOf({ places }: Policies, included: readonly string[]): readonly string[] {
  return [...places, ...included]
}

/** All sessions with how full they are, worked out once until a session or a policy changes. */
export function getRankedRows({ revision, loads }: PoliciesInForce): Promise<readonly RankedRow[]> {
  return untilChange(`fill ranks ${revision}`, async (database) =>
    rankRows(readFillRows(database), (row) => loads.of(row)),
  )
}
