import type { ArchivedVersion } from '../../core/archive/archived-version'
import type { Bytes, Milliseconds } from '../../core/units/units'
import type { ArchiveFolder, BadFile } from './archive-ports'

/** A transcript in the archive. */
export type KeptTranscript = {
  readonly newest: ArchivedVersion
  /** Numbers of older versions, from before it was written anew; the oldest first. */
  readonly older: readonly number[]
  /** When it was found missing in its store; null: it was there at the last look. */
  readonly goneAt: Milliseconds | null
  /** The setting of its runtime by which it was due then; null: it is not known who deleted it. */
  readonly rule: string | null
}

export type ArchiveSurvey = {
  /** Those that changed last come first. */
  readonly transcripts: readonly KeptTranscript[]
  readonly unreadable: readonly BadFile[]
  /** All of the archive, on disk. */
  readonly bytes: Bytes
}

/** All that is in the archive. */
export async function surveyArchive(
  folder: Pick<ArchiveFolder, 'versions' | 'marks' | 'blocks'>,
): Promise<ArchiveSurvey> {
  const marks = new Map((await folder.marks()).map((mark) => [mark.id, mark]))
  const newest: ArchivedVersion[] = []
  const older = new Map<string, number[]>()
  const unreadable: BadFile[] = []
  let bytes = 0
  for (const size of (await folder.blocks()).values()) bytes += size
  for await (const found of folder.versions()) {
    if ('problem' in found) {
      unreadable.push(found)
      continue
    }
    const { version } = found
    bytes += found.bytes
    if (version.replacedAt === null) newest.push(version)
    else older.set(version.id, [...(older.get(version.id) ?? []), version.number])
  }
  const transcripts = newest
    .sort((a, b) => b.stamp.mtimeMs - a.stamp.mtimeMs)
    .map((version) => ({
      newest: version,
      older: (older.get(version.id) ?? []).sort((a, b) => a - b),
      goneAt: marks.get(version.id)?.at ?? null,
      rule: marks.get(version.id)?.rule ?? null,
    }))
  return { transcripts, unreadable, bytes }
}
