import { constants, setPriority } from 'node:os'
import { resolve } from 'node:path'
import { readSetupAnyway, untilOtherStores } from '../../compose/lenient-setup'
import { type ImportOptions, type IngestOutcome, ingestOnce, type Setup, watchAll } from '../../compose/open'
import { recoverAfterCrash } from '../../compose/writer'
import type { PassReport } from '../../engine/archive/archive-keeper'
import type { IngestReport } from '../../engine/ingest/ingest'
import { formatBytes, formatDuration, formatQuantity } from '../../view/text/format'
import type { ReadVerbOptions } from '../choose/read-options'
import { databaseRefusal, setupOrFail } from '../choose/setup-or-fail'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { keepRetrying } from '../keep-retrying'
import { note, write, writeJson } from '../print/output'
import { progressLine } from '../print/progress-line'

export type IngestVerbOptions = ReadVerbOptions & {
  readonly watch?: boolean
  readonly search?: boolean
  readonly besideDashboard?: boolean
}

/** Reads what is new in the stores into the database; with `--watch` it stays and follows them. */
export async function ingestVerb(io: Io, options: IngestVerbOptions): Promise<ExitCode> {
  const { besideDashboard = false } = options
  const setup = besideDashboard ? readerSetup(io) : setupOrFail(io)
  for (const warning of setup.warnings) await note(io, warning)
  const signal = besideDashboard ? untilStoppedOrOther(io, setup) : io.untilStopped()
  const progress = progressLine(io)
  const reading: ImportOptions = {
    named: options.store?.map((path) => resolve(io.cwd, path)) ?? null,
    withSearch: options.search ?? true,
    signal,
    onProgress: ({ bytes, bytesRead, sessions, finished }) =>
      progress.show(
        `${finished} of ${formatQuantity(sessions, 'session')}, ${formatBytes(bytesRead)} of ${formatBytes(bytes)}`,
      ),
  }
  if (options.watch) return follow(io, setup, reading, signal, besideDashboard)
  const outcome = await ingestOnce(setup, io.env, reading)
  progress.clear()
  const report = reportOrFail(outcome)
  const archived = outcome.ok ? outcome.archived : null
  if (reading.named !== null && report.stores.length === 0 && report.leftOut > 0)
    throw nothingReadable(report)
  if (options.json) await writeJson(io, { ...toJson(report), archived })
  else await write(io.stdout, toText(report) + archivedText(archived))
  await noteProblems(io, report)
  for (const problem of archived?.problems ?? []) await note(io, problem)
  return EXIT.done
}

/** Where there is less processor time than work, pages come before what is read for later ones. */
function yieldToPages(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Only a wish; some systems forbid it.
  }
}

/** The dashboard has said what is wrong with the settings file; its reader reads what else there is. */
function readerSetup(io: Io): Setup {
  const read = readSetupAnyway(io.env, io.cwd)
  return read.ok ? read.setup : setupOrFail(io)
}

/** Who started us starts us again, with the stores that the settings name then. */
function untilStoppedOrOther(io: Io, setup: Setup): AbortSignal {
  const stopped = io.untilStopped()
  const other = new AbortController()
  void untilOtherStores(setup, io.env, io.cwd, stopped).then(() => other.abort())
  return AbortSignal.any([stopped, other.signal])
}

/** Follows the stores until it is stopped, and says what it does on standard error. */
async function follow(
  io: Io,
  setup: Setup,
  reading: ImportOptions,
  signal: AbortSignal,
  besideDashboard: boolean,
): Promise<ExitCode> {
  // Not before a first page has something to show.
  let yields = !besideDashboard
  for (const problem of await recoverAfterCrash(setup)) await note(io, problem)
  void keepRetrying(io, signal)
  const result = await watchAll(setup, io.env, {
    named: reading.named,
    signal,
    onEvent: (event) => {
      if (!yields && (event.kind === 'changed' || event.kind === 'swept')) {
        yields = true
        yieldToPages()
      }
      if (event.kind === 'progress') reading.onProgress?.(event.progress)
      else if (event.kind === 'problem' || event.kind === 'waiting') void note(io, event.message)
      else if (event.kind === 'swept' && event.report.changed.length > 0) {
        void note(io, toText(event.report).trim())
      }
    },
  })
  if (!result.ok) throw databaseRefusal(result)
  return EXIT.done
}

/** Stores that are named are the ones to read: none of them is a failure, as for the other reading verbs. */
function nothingReadable({ problems }: IngestReport): CliError {
  return new CliError(EXIT.unreadable, problems.map(({ problem }) => problem).join('\n'), { problems })
}

async function noteProblems(io: Io, report: IngestReport): Promise<void> {
  for (const { path, problem } of report.problems) {
    await note(io, problem.includes(path) ? problem : `${path}: ${problem}`)
  }
}

function reportOrFail(outcome: IngestOutcome): IngestReport {
  if (outcome.ok) return outcome.report
  if (outcome.reason === 'held')
    throw new CliError(EXIT.refused, outcome.message, { reason: 'held', holder: outcome.holder })
  throw databaseRefusal(outcome)
}

function toJson(report: IngestReport) {
  const { stores, entries, bytesRead, rows, problems, changed, ms } = report
  return { stores, sessionsChanged: changed.length, entries, bytesRead, rowsWritten: rows, problems, ms }
}

function archivedText(archived: PassReport | null): string {
  if (archived === null || archived.copied === 0) return ''
  return `Copied ${formatQuantity(archived.copied, 'transcript')} into the archive (${formatBytes(archived.added)} on disk).\n`
}

function toText(report: IngestReport): string {
  const sessions = report.stores.reduce((sum, store) => sum + store.sessions, 0)
  const leftOut =
    report.leftOut === 0 ? '' : ` (${formatQuantity(report.leftOut, 'more store')} cannot be read)`
  const found = `${formatQuantity(sessions, 'session')} in ${formatQuantity(report.stores.length, 'store')}${leftOut}`
  if (report.changed.length === 0) return `${found}; nothing has changed.\n`
  const read = `${formatQuantity(report.entries, 'entry', 'entries')} of ${formatQuantity(report.changed.length, 'session')}`
  return `${found}; read ${read} (${formatBytes(report.bytesRead)}) in ${formatDuration(report.ms)}.\n`
}
