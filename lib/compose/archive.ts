import { basename, dirname, join, sep } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { archiveSources } from '../adapters/archive/archive-sources'
import { withArchive } from '../adapters/archive/archived-reader'
import { deletionRuleOf } from '../adapters/archive/deletion-rules'
import { openArchiveFolder } from '../adapters/archive/open-archive'
import { confinedFolder } from '../adapters/discovery/confined-folder'
import { createStoreReader } from '../adapters/stores/store-reader'
import { nodeWriteFiles } from '../adapters/write/node-write-files'
import { sha256 } from '../adapters/write/sha256'
import type { ArchiveSettings } from '../config/archive-settings'
import type { Environment } from '../config/env'
import type { ArchivedVersion } from '../core/archive/archived-version'
import type { DeletionRule } from '../core/archive/runtime-deletion'
import type { Milliseconds } from '../core/units/units'
import { reasonOf } from '../core/words/reason-of'
import { ArchiveKeeper } from '../engine/archive/archive-keeper'
import type { ArchiveFolder } from '../engine/archive/archive-ports'
import type { FoundStore, StoreReader } from '../engine/read/ports'
import { writeRoot } from '../engine/write/write-root'
import type { Setup } from './setup'

const DAY_MS = 86_400_000

/** Between two passes over what changed. Milliseconds. */
const PASS_MS = 5_000

/** Where the archive is in the state folder. */
export function archiveRoot({ home }: Pick<Environment, 'home'>): string {
  return join(home, 'archive')
}

/** The archive, to read and, inside `alone`, to change. It need not be there. */
export function archiveOf(environment: Pick<Environment, 'home'>): ArchiveFolder {
  return openArchiveFolder(archiveRoot(environment), Date.now)
}

/** What reading and pruning take besides the folder. */
export const archiveIo = { files: nodeWriteFiles, sha256, clock: { now: () => Date.now() } }

/** By which rule the runtime of a store deletes; null: by none that is known, or the store is the demo that we made. */
export function deletionOf(
  { home }: Pick<Environment, 'home'>,
  store: Parameters<typeof deletionRuleOf>[0],
): DeletionRule | null {
  return `${store.root}${sep}`.startsWith(join(home, 'demo', sep)) ? null : deletionRuleOf(store)
}

/** A reader that also knows what is only in the archive. @param root see `archiveRoot` */
export function readerWithArchive(reader: StoreReader, root: string): StoreReader {
  return withArchive(reader, openArchiveFolder(root, Date.now), root)
}

/** What the operator's settings allow the archive, as pruning takes it. */
export function archiveLimits({ keepDays, quotaBytes }: ArchiveSettings): {
  readonly keepMs: Milliseconds
  readonly quotaBytes: number
} {
  return { keepMs: keepDays * DAY_MS, quotaBytes }
}

/** Where a version goes back to. */
export type RestorePlace =
  | { readonly ok: true; readonly file: string; readonly root: string; readonly kind: FoundStore['kind'] }
  | { readonly ok: false; readonly message: string }

/**
 * Where a version was: only below the root of a store that is read now, links followed.
 * @param stores those that were found
 */
export function placeOfVersion(version: ArchivedVersion, stores: readonly FoundStore[]): RestorePlace {
  const { path, form, store: from } = version
  const elsewhere = 'Name a new file with --to.'
  if (form === 'lines') {
    const message = `${path} is a database of OpenClaw, into which nothing is written; what the archive has are its lines. ${elsewhere}`
    return { ok: false, message }
  }
  const store = stores.find(({ id }) => id === from.id)
  if (store === undefined) {
    return { ok: false, message: `${from.root} is not among the stores that are read now. ${elsewhere}` }
  }
  const root = writeRoot(store, version)
  const folder = confinedFolder(dirname(path), [root])
  if (folder === null) return { ok: false, message: `${path} leads out of its store. ${elsewhere}` }
  return { ok: true, file: join(folder, basename(path)), root, kind: store.kind }
}

/** Keeps the archive in step with the stores; null when the operator did not switch it on. */
export function openKeeper({ environment, settings }: Setup): ArchiveKeeper | null {
  if (!settings.archive.enabled) return null
  return new ArchiveKeeper({
    folder: archiveOf(environment),
    sources: archiveSources(createStoreReader({ lastLine: 'take-whole' })),
    sha256,
    clock: { now: Date.now },
    limits: archiveLimits(settings.archive),
    deletionOf: (store) => deletionOf(environment, store),
  })
}

/** Copies what changed, again and again, until `signal` says to stop. What goes wrong is reported once. */
export async function followArchive(
  keeper: ArchiveKeeper,
  signal: AbortSignal,
  onProblem: (message: string) => void,
): Promise<void> {
  const reported = new Set<string>()
  while (!signal.aborted) {
    const { problems } = await keeper.pass({ signal }).catch((error: unknown) => ({
      problems: [`The archive could not be kept in step: ${reasonOf(error)}`],
    }))
    for (const problem of problems) if (!reported.has(problem)) onProblem(problem)
    reported.clear()
    for (const problem of problems) reported.add(problem)
    await wait(PASS_MS, undefined, { signal }).catch(() => undefined)
  }
}
