import { archiveRoot, deletionOf } from '../../../compose/archive'
import { dueSoon } from '../../../core/archive/due-soon'
import type { KeptTranscript } from '../../../engine/archive/survey-archive'
import { dueWords, goneWords } from '../../../view/archive/archive-words'
import { formatBytes, formatQuantity } from '../../../view/text/format'
import { absoluteTimeUtc } from '../../../view/text/time'
import { type ArchiveWork, surveyWithNotes } from '../../choose/choose-archived'
import type { ListedTranscript } from '../../choose/choose-session'
import { openSources } from '../../choose/sources'
import { EXIT, type ExitCode } from '../../io'
import { timeJson } from '../../print/figure-json'
import { write, writeJson } from '../../print/output'
import { renderTable } from '../../print/table'
import { toTerminal } from '../../print/terminal-text'

/** What is due soon and shown one by one; `--json` has all. */
const SHOWN_DUE = 10

/** Lists what is in the archive, and what will be deleted from the stores within a week. */
export async function listArchive(work: ArchiveWork): Promise<ExitCode> {
  const { io, setup, options } = work
  const sources = await openSources(io, options.store)
  const listed = (await sources.listAll()).filter(({ transcript }) => transcript.state !== 'gone')
  const survey = await surveyWithNotes(work)
  const stores = new Set(sources.stores.map(({ id }) => id))
  const wanted = survey.transcripts.filter(
    ({ newest, goneAt }) =>
      (options.store === undefined || stores.has(newest.store.id)) && (!options.deleted || goneAt !== null),
  )
  const kept = new Map(survey.transcripts.map(({ newest }) => [newest.id, newest]))
  const now = Date.now()
  const rules = new Map(sources.stores.map((store) => [store.id, deletionOf(setup.environment, store)]))
  const due = dueSoon(
    listed,
    ({ transcript: { path, state, stamp, index } }) => ({
      ...{ path, state, mtimeMs: stamp.mtimeMs },
      isIndexed: index !== null,
    }),
    ({ store }) => rules.get(store.id) ?? null,
    now,
  )
  const isKept = ({ transcript: { id, stamp } }: ListedTranscript) =>
    kept.get(id)?.stamp.mtimeMs === stamp.mtimeMs && kept.get(id)?.stamp.size === stamp.size
  const { enabled, keepDays, quotaBytes } = setup.settings.archive
  if (options.json) {
    await writeJson(io, {
      ...{ enabled, keepDays, quotaBytes, folder: archiveRoot(setup.environment), bytes: survey.bytes },
      transcripts: wanted.map(toJson),
      unreadable: survey.unreadable,
      due: due.map(({ at, rule, item }) => ({
        ...{ id: item.transcript.id, session: item.transcript.sessionId, path: item.transcript.path },
        ...{ at: timeJson(at), rule, kept: isKept(item) },
      })),
    })
    return EXIT.done
  }
  const shown = wanted.slice(0, options.limit)
  const title = `${formatQuantity(survey.transcripts.length, 'transcript')} in the archive, ${formatBytes(survey.bytes)} of ${formatBytes(quotaBytes)} on disk.${enabled ? '' : ' It is switched off: nothing new is copied (archive: { enabled: true } in the settings file).'}\n`
  const table = shown.length === 0 ? '' : `\n${tableOf(shown)}`
  const more = wanted.length - shown.length
  const rest = more > 0 ? `${formatQuantity(more, 'more transcript')}: --limit ${wanted.length}\n` : ''
  const warned = due.slice(0, SHOWN_DUE).map((one) => {
    const { path } = one.item.transcript
    return `  ${toTerminal(path)}: ${dueWords(one.at, now)} (${one.rule}); ${isKept(one.item) ? 'in the archive' : 'NOT in the archive'}\n`
  })
  const warning =
    due.length === 0
      ? ''
      : `\n${formatQuantity(due.length, 'transcript')} will be deleted by the runtime within a week:\n${warned.join('')}${due.length > SHOWN_DUE ? `  … and ${due.length - SHOWN_DUE} more (--json lists them all)\n` : ''}`
  await write(io.stdout, title + table + rest + warning)
  return EXIT.done
}

function tableOf(shown: readonly KeptTranscript[]): string {
  return renderTable(shown, [
    { title: 'ID', cell: ({ newest }) => newest.id },
    { title: 'SESSION', cell: ({ newest }) => newest.key ?? newest.sessionId, max: 36 },
    { title: 'STORE', cell: ({ newest }) => newest.store.label, max: 36 },
    { title: 'SIZE', align: 'right', cell: ({ newest }) => formatBytes(newest.size) },
    { title: 'COPIED (UTC)', cell: ({ newest }) => absoluteTimeUtc(newest.copiedAt) },
    { title: 'OLDER', align: 'right', cell: ({ older }) => (older.length === 0 ? '' : older.join(', ')) },
    {
      title: 'STATE',
      cell: ({ goneAt, rule }) => (goneAt === null ? 'in its store' : goneWords({ at: goneAt, rule })),
    },
  ])
}

function toJson({ newest, older, goneAt, rule }: KeptTranscript) {
  const { id, sessionId, key, agent, path, store, number, size, sha256, form, copiedAt, stamp } = newest
  return {
    ...{ id, session: sessionId, key, agent, path, form },
    store: { id: store.id, kind: store.kind, root: store.root },
    state: goneAt === null ? 'in-store' : 'deleted',
    ...{ deletedAt: timeJson(goneAt), deletedBy: rule },
    ...{ version: number, older, bytes: size, sha256 },
    ...{ writtenAt: timeJson(stamp.mtimeMs), copiedAt: timeJson(copiedAt) },
  }
}
