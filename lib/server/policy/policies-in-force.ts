import { reasonOf } from '../../core/words/reason-of'
import 'server-only'
import { realFolder } from '../../adapters/discovery/confined-folder'
import { stampFiles } from '../../adapters/policy/policy-files'
import { openPolicies, type Policies } from '../../compose/policy/policies'
import { type Governing, governingOf } from '../../compose/stores/governing'
import { asksByStore } from '../../compose/stores/store-asks'
import { readFillRows } from '../../db/queries/fill-rows'
import { findKnownStores } from '../../db/queries/known-stores'
import type { PolicyDocument } from '../../engine/policy/policy-store'
import { type StoreAsksView, storeAsksView } from '../../view/policy/store-asks'
import { type FileFault, fileFaults } from '../../view/stores/file-faults'
import { type RankedRow, rankRows } from '../overview/fill-ranking'
import { getDatabase } from '../process/database'
import { oncePerRender } from '../process/once-per-render'
import { oncePerProcess } from '../process/process-memory'
import { getSetup } from '../process/setup'
import { untilChange } from '../process/until-change'
import { labelDocuments } from './policies'
import { settingsFaults } from './settings-faults'

/** What the runtimes do, and what the operator drafts, by the files as they are now. */
export type PoliciesInForce = Governing & {
  /** Another number for other contents; names what was worked out with them. */
  readonly revision: number
  /** What the files of a store ask for and the operator decides, by its id; null where they ask for nothing. */
  readonly asksOf: (storeId: string) => StoreAsksView | null
  /** Files that cannot be read, or not all of them. */
  readonly faults: readonly FileFault[]
  /** Why no file could be read, so that these are the defaults; null when they could. */
  readonly problem: string | null
}

type Kept = {
  readonly stamp: string
  readonly files: readonly string[]
  /** Real paths of folders that files of stores name and may use. */
  readonly folders: readonly string[]
  readonly inForce: PoliciesInForce
}

const state = oncePerProcess('policies-in-force', (): { kept: Kept | null; revision: number } => ({
  kept: null,
  revision: 0,
}))

/**
 * What runtimes do and what the operator drafts, read again only when one of the files has changed. The files are
 * examined once for each page. Lists are not lost because a configuration cannot be read: then defaults count.
 */
export const getPoliciesInForce = oncePerRender(examineFiles)

async function examineFiles(): Promise<PoliciesInForce> {
  const stores = findKnownStores(await getDatabase())
  const setup = getSetup()
  const policies = openPolicies(setup, stores)
  const labels = stores.map(({ id, label }) => `${id} ${label}`).join('\n')
  // A folder that leads elsewhere since then is judged again.
  const stampOf = (files: readonly string[], folders: readonly string[]) =>
    [labels, ...files, stampFiles(files), ...folders.map((folder) => `${folder} ${realFolder(folder)}`)].join(
      '\n',
    )
  const { kept } = state
  if (kept !== null && kept.stamp === stampOf(filesOf(policies, kept.files), kept.folders))
    return kept.inForce
  state.revision += 1
  const { revision } = state
  const before = stampOf(policies.places, [])
  try {
    const read = await policies.documents()
    const documents = labelDocuments(read, stores)
    const included = documents.flatMap(({ includes }) => includes)
    const asks = new Map(
      [...asksByStore(setup, read, stores)].map(([id, asking]) => [id, storeAsksView(asking)]),
    )
    const inForce = {
      revision,
      ...(await governingOf(setup, documents, stores)),
      asksOf: (storeId: string) => asks.get(storeId) ?? null,
      faults: faultsOf(documents, stores),
      problem: null,
    }
    // What was changed while it was read is read again the next time.
    const settled = before === stampOf(policies.places, [])
    const folders = documents.flatMap(({ granted }) => Object.values(granted?.folders ?? {}))
    const stamp = stampOf(filesOf(policies, included), folders)
    state.kept = settled ? { stamp, files: included, folders, inForce } : null
    return inForce
  } catch (error) {
    const problem = reasonOf(error)
    const governing = await governingOf(setup, [], stores)
    return { revision, ...governing, asksOf: () => null, faults: [], problem }
  }
}

function faultsOf(
  documents: readonly PolicyDocument[],
  stores: readonly { readonly id: string; readonly label: string }[],
): FileFault[] {
  const storeOf = (id: string | null) => stores.find((store) => store.id === id) ?? null
  return fileFaults(
    documents.map(({ path, role, storeId, text, file }) => ({
      ...{ path, role, store: storeOf(storeId) },
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
