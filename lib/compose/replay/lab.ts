import { existsSync } from 'node:fs'
import { replayWorkerFile } from '../../config/paths'
import { effectivePolicy, NO_SUBJECT } from '../../core/policy/effective'
import { LIST_EDITION } from '../../core/tokens/list-edition'
import type { OwnPrices } from '../../core/tokens/own-prices'
import { reasonOf } from '../../core/words/reason-of'
import { experimentRows } from '../../db/commands/experiments'
import { databasePath } from '../../db/database-url'
import { openConnection } from '../../db/open-connection'
import { type FinishedTuning, finishedTunings } from '../../engine/findings/tunings'
import { fingerprint } from '../../engine/read/fingerprint'
import type { FoundStore } from '../../engine/read/ports'
import { type PolicyCatalogue, policyCatalogue } from '../../engine/replay/policy-choice'
import type { ReplayExecutor } from '../../engine/replay/replay-executor'
import type { ExperimentRows } from '../../engine/replay/replay-ports'
import { archiveRoot } from '../archive'
import { migrateDatabase } from '../open'
import { openPolicies } from '../policy/policies'
import { policySources } from '../policy/policy-sources'
import type { Setup } from '../setup'
import { governingOf } from '../stores/governing'
import { replayPool } from './replay-pool'

/** The policies that sessions of these stores can be replayed under. Files that cannot be read count for nothing. */
export async function openCatalogue(setup: Setup, stores: readonly FoundStore[]): Promise<PolicyCatalogue> {
  const documents = await openPolicies(setup, stores)
    .documents()
    .catch(() => [])
  const { runtimeOf } = await governingOf(setup, documents, stores)
  const drafts = new Map(
    stores.map((store) => [store.id, effectivePolicy(policySources(documents, store), NO_SUBJECT).policy]),
  )
  const ofNone = effectivePolicy(policySources(documents, null), NO_SUBJECT).policy
  return policyCatalogue({ runtimeOf, draftOf: (storeId) => drafts.get(storeId) ?? ofNone })
}

/**
 * Threads that replay, with the operator's prices.
 * @param databaseFile where sessions that were made ready are kept; null: nowhere
 * @param threads undefined: as many as the machine bears
 */
export function openReplays(
  { environment, settings }: Setup,
  databaseFile: string | null,
  where: 'beside' | 'package',
  threads?: number,
): ReplayExecutor {
  const work = { databaseFile, archive: archiveRoot(environment), prices: settings.prices }
  return replayPool(replayWorkerFile(where), work, threads)
}

/**
 * The database of the command line: as it is there, with all migrations applied. null: there is none yet, or it cannot be
 * used; then nothing is kept, and `problem` says why.
 */
export async function findLabDatabase({
  environment,
}: Setup): Promise<{ readonly file: string | null; readonly problem: string | null }> {
  try {
    if (!existsSync(databasePath(environment.databaseUrl))) return { file: null, problem: null }
  } catch (error) {
    return { file: null, problem: reasonOf(error) }
  }
  const migrated = await migrateDatabase(environment)
  return migrated.ok ? { file: migrated.file, problem: null } : { file: null, problem: migrated.message }
}

/** Experiments of the command line, in the database, which is made if it is missing. */
export async function openExperiments({
  environment,
}: Setup): Promise<
  | { readonly ok: true; readonly rows: ExperimentRows; readonly close: () => void }
  | { readonly ok: false; readonly message: string }
> {
  const migrated = await migrateDatabase(environment)
  if (!migrated.ok) return migrated
  const connection = openConnection(migrated.file)
  return { ok: true, rows: experimentRows(connection), close: () => connection.close() }
}

/** Tunings that have ended, from the database of the command line; none where there is no database. */
export async function cliTunings(setup: Setup): Promise<readonly FinishedTuning[]> {
  const { file } = await findLabDatabase(setup)
  if (file === null) return []
  const connection = openConnection(file)
  try {
    return finishedTunings(experimentRows(connection))
  } finally {
    connection.close()
  }
}

/** Which list prices are of, and a mark of the operator's own: results with other prices are others. */
export function pricesEdition(own: OwnPrices): string {
  const list = `${LIST_EDITION.name} ${LIST_EDITION.date}`
  const names = Object.keys(own).sort()
  return names.length === 0
    ? list
    : `${list}, own ${fingerprint(JSON.stringify(names.map((name) => [name, own[name]])))}`
}
