import type { archiveOf } from '../../compose/archive'
import type { Setup } from '../../compose/open'
import { type KeptTranscript, surveyArchive } from '../../engine/archive/survey-archive'
import { CliError, EXIT, type Io } from '../io'
import { note } from '../print/output'
import type { ReadVerbOptions } from './read-options'

export type ArchiveOptions = ReadVerbOptions & {
  /** list | restore | verify | prune; nothing is `list`. */
  readonly action?: string
  /** Transcripts: ids, session ids, keys, or the unique beginning of one. */
  readonly rest: readonly string[]
  /** list: only what is no longer in its store. */
  readonly deleted?: boolean
  readonly limit: number
  /** restore: a new file instead of the old place. */
  readonly to?: string
  /** restore: an older version, by its number. */
  readonly number?: number
  /** restore, prune: do it. */
  readonly apply?: boolean
  /** restore, prune: only show it, as without `apply`. */
  readonly dryRun?: boolean
}

/** What the actions share. */
export type ArchiveWork = {
  readonly io: Io
  readonly setup: Setup
  readonly options: ArchiveOptions
  readonly folder: ReturnType<typeof archiveOf>
}

/** A file of the archive that cannot be understood is said and passed over. */
export async function surveyWithNotes({ io, folder }: ArchiveWork) {
  const survey = await surveyArchive(folder)
  for (const { problem } of survey.unreadable) await note(io, problem)
  return survey
}

/** The archived transcript that a word means. @throws CliError with candidates when it is not clear */
export function chooseArchived(all: readonly KeptTranscript[], wanted: string): KeptTranscript {
  const names = ({ newest: { id, sessionId, key, path } }: KeptTranscript) => [id, sessionId, key, path]
  const exact = all.filter((one) => names(one).includes(wanted))
  const fitting =
    exact.length > 0
      ? exact
      : all.filter((one) => wanted !== '' && names(one).some((name) => name?.startsWith(wanted)))
  const [first, ...others] = fitting
  if (first === undefined) {
    throw new CliError(
      EXIT.usage,
      `Nothing in the archive is called ${JSON.stringify(wanted)}. "plimsoll archive list" tells what there is.`,
      { candidates: [] },
    )
  }
  if (others.length === 0) return first
  throw new CliError(
    EXIT.usage,
    `${JSON.stringify(wanted)} fits ${fitting.length} archived transcripts: ${fitting
      .slice(0, 10)
      .map(({ newest: { id, path } }) => `${id} (${path})`)
      .join(', ')}.`,
    { candidates: fitting.map(({ newest: { id, sessionId, path } }) => ({ id, session: sessionId, path })) },
  )
}
