import type { RepairCheck } from './line-check'

/** What OpenClaw's import of a transcript into its database would lose. Entries, the header included. */
export type ImportLoss = {
  readonly entries: number
  /** Those behind the first bad line, all of which are left out (lib/docs/openclaw.md#repair-of-files). */
  readonly lost: number
  /** Those that a repair before the import drops, as they cannot be kept. */
  readonly lostAfterRepair: number
}

/** Null when the import takes everything, or nothing can be said as the file has no header. */
export function importLoss({ kind, entries, importable }: RepairCheck): ImportLoss | null {
  const lost = entries.before - importable
  if (kind !== 'transcript' || lost <= 0) return null
  return { entries: entries.before, lost, lostAfterRepair: Math.min(lost, entries.dropped) }
}
