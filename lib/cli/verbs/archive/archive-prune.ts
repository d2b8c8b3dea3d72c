import { setTimeout as wait } from 'node:timers/promises'
import { archiveIo, archiveLimits } from '../../../compose/archive'
import type { ArchivePruning } from '../../../core/archive/prune-plan'
import { pruneArchive, tryPrune, UnreadableCopy } from '../../../engine/archive/prune-archive'
import type { ArchiveSurvey, KeptTranscript } from '../../../engine/archive/survey-archive'
import { formatBytes, formatQuantity } from '../../../view/text/format'
import { type ArchiveWork, chooseArchived, surveyWithNotes } from '../../choose/choose-archived'
import { CliError, EXIT, type ExitCode } from '../../io'
import { write, writeJson } from '../../print/output'
import { toTerminal } from '../../print/terminal-text'

/** How long another process may go on with the archive before this one gives up. Milliseconds. */
const PATIENCE_MS = 10_000
const ASK_MS = 250

/** Copies that are listed one by one; `--json` has all. */
const SHOWN = 20

/** Takes out what outlived `archive.keep`, what is named, and what a crash left; a dry run without `--apply`. */
export async function pruneCopies(work: ArchiveWork): Promise<ExitCode> {
  const { io, setup, options, folder } = work
  const survey = await surveyWithNotes(work)
  const named = new Set(options.rest.map((word) => idOf(survey, word)))
  const wanted = { ...archiveLimits(setup.settings.archive), goal: { kind: 'outlived' }, named } as const
  const io2 = { ...archiveIo, folder }
  const apply = options.apply ?? false
  const plan = await (apply ? alone(work, () => pruneArchive(io2, wanted)) : tryPrune(io2, wanted)).catch(
    (error: unknown) => {
      if (!(error instanceof UnreadableCopy)) throw error
      throw new CliError(
        EXIT.unreadable,
        `${error.message} Which blocks it needs is not known, so nothing is taken away. Name it, and it is given up: plimsoll archive prune ID --apply`,
      )
    },
  )
  if (options.json) {
    const { remove, blocks, freed, left } = plan
    await writeJson(io, {
      dryRun: !apply,
      removed: remove,
      blocks: blocks.length,
      freedBytes: freed,
      leftBytes: left,
    })
  } else await write(io.stdout, planText(plan, survey.transcripts, apply))
  return EXIT.done
}

/** The id of what a word means; of a copy that cannot be understood only its id is known. */
function idOf({ transcripts, unreadable }: ArchiveSurvey, word: string): string {
  const bad = unreadable.find(({ name }) => name === word || name.startsWith(`${word}.`))
  return bad === undefined ? chooseArchived(transcripts, word).newest.id : word.slice(0, 16)
}

async function alone({ folder }: ArchiveWork, work: () => Promise<ArchivePruning>): Promise<ArchivePruning> {
  for (let waited = 0; ; waited += ASK_MS) {
    const done = await folder.alone(work)
    if (done !== null) return done.value
    if (waited >= PATIENCE_MS) {
      const message =
        'Another process copies into the archive now. Nothing was changed; try again in a minute.'
      throw new CliError(EXIT.refused, message, { reason: 'locked' })
    }
    await wait(ASK_MS)
  }
}

const WHY = {
  named: 'named',
  replaced: 'an older version of what was written anew',
  deleted: 'deleted longer ago than archive.keep',
} as const

function planText(
  { remove, blocks, freed, left }: ArchivePruning,
  transcripts: readonly KeptTranscript[],
  applied: boolean,
): string {
  if (remove.length === 0 && blocks.length === 0) {
    return `Nothing to take out; ${formatBytes(left)} stay in the archive.\n`
  }
  const paths = new Map(transcripts.map(({ newest }) => [newest.id, newest.path]))
  const isThere = new Set(transcripts.flatMap(({ newest, goneAt }) => (goneAt === null ? newest.id : [])))
  const again = remove.some(({ id, why }) => why === 'named' && isThere.has(id))
    ? 'What is still in its store is copied again while the archive is switched on.\n'
    : ''
  const lines = remove
    .slice(0, SHOWN)
    .map(({ name, id, why }) => `  ${name} ${toTerminal(paths.get(id) ?? '')}: ${WHY[why]}\n`)
  const more = remove.length > SHOWN ? `  … and ${remove.length - SHOWN} more (--json lists them all)\n` : ''
  const what = `${formatQuantity(remove.length, 'copy', 'copies')} and ${formatQuantity(blocks.length, 'block')}, ${formatBytes(freed)}`
  return applied
    ? `Taken out of the archive, for good: ${what}.\n${lines.join('')}${more}${formatBytes(left)} stay.\n${again}`
    : `Would go for good: ${what}. --apply does it.\n${lines.join('')}${more}${formatBytes(left)} would stay.\n${again}`
}
