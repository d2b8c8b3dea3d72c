import * as z from 'zod'
import type { Bytes } from '../units/units'

/**
 * What OpenClaw says that its own maintenance (`openclaw sessions cleanup`) of one database would do, or did. Sessions
 * are counted, not named: it has no other answer for programs (openclaw 2026.9.6).
 */
export type Cleanup = {
  /** Path of the database that it is about, as the command sees it. */
  readonly database: string
  readonly dryRun: boolean
  /** Keys in the index before and after. */
  readonly before: number
  readonly after: number
  /** Sessions that leave the index, by why. */
  readonly removed: { readonly [R in Removal]: number }
  /** Sessions that are put aside and keep their transcripts: unused for too long, and beyond the cap. */
  readonly archived: { readonly age: number; readonly cap: number }
  /** Files that no session refers to. Bytes. */
  readonly files: { readonly count: number; readonly bytes: Bytes }
  /** For the disk budget; null when there is none. Bytes. */
  readonly disk: { readonly entries: number; readonly files: number; readonly bytes: Bytes } | null
  /** Its own word for whether anything changes at all. */
  readonly changes: boolean
}

export const REMOVALS = ['missing', 'dmScopeRetired', 'modelRunPruned', 'pruned', 'capped'] as const
export type Removal = (typeof REMOVALS)[number]

const count = z.number().int().nonnegative()
const size = z.number().nonnegative()

const shape = z
  .object({
    storePath: z.string().min(1),
    dryRun: z.boolean(),
    beforeCount: count,
    afterCount: count,
    missing: count,
    dmScopeRetired: count.default(0),
    modelRunPruned: count.default(0),
    pruned: count,
    capped: count,
    archived: count.default(0),
    capArchived: count.default(0),
    unreferencedArtifacts: z.object({ removedFiles: count, freedBytes: size }).nullish(),
    diskBudget: z.object({ removedEntries: count, removedFiles: count, freedBytes: size }).nullish(),
    wouldMutate: z.boolean(),
  })
  .transform(
    (said): Cleanup => ({
      database: said.storePath,
      dryRun: said.dryRun,
      before: said.beforeCount,
      after: said.afterCount,
      removed: {
        missing: said.missing,
        dmScopeRetired: said.dmScopeRetired,
        modelRunPruned: said.modelRunPruned,
        pruned: said.pruned,
        capped: said.capped,
      },
      archived: { age: said.archived, cap: said.capArchived },
      files: {
        count: said.unreferencedArtifacts?.removedFiles ?? 0,
        bytes: said.unreferencedArtifacts?.freedBytes ?? 0,
      },
      disk:
        said.diskBudget == null
          ? null
          : {
              entries: said.diskBudget.removedEntries,
              files: said.diskBudget.removedFiles,
              bytes: said.diskBudget.freedBytes,
            },
      changes: said.wouldMutate,
    }),
  )

/** Reads the answer about one database. What is missing or of another form is named, in words for the operator. */
export function readCleanup(
  value: unknown,
): { readonly ok: true; readonly cleanup: Cleanup } | { readonly ok: false; readonly problem: string } {
  const read = shape.safeParse(value)
  if (read.success) return { ok: true, cleanup: read.data }
  const [issue] = read.error.issues
  const where = issue?.path.join('.') || 'the answer'
  return { ok: false, problem: `${where}: ${issue?.message ?? 'not understood'}` }
}

/** Sessions that leave the index in all, with those that go for the disk budget. */
export function removedInAll({ removed, disk }: Cleanup): number {
  return REMOVALS.reduce((sum, name) => sum + removed[name], disk?.entries ?? 0)
}

/** Sessions that are put aside in all. */
export function archivedInAll({ archived }: Cleanup): number {
  return archived.age + archived.cap
}

/** Names what a cleanup does: the same text for two that do the same. Sizes on disk change all the time and do not count. */
export function cleanupText(cleanup: Cleanup): string {
  const { database, before, removed, archived, files, disk, changes } = cleanup
  const counts = REMOVALS.map((name) => `${name} ${removed[name]}`).join(', ')
  return `${database}: of ${before} ${counts}, age ${archived.age}, cap ${archived.cap}, files ${files.count}, disk ${disk?.entries ?? 0} ${disk?.files ?? 0}, ${changes}`
}
