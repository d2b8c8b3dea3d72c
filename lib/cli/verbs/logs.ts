import { LogFold, type LogSummary, type Tally } from '../../core/logs/fold-logs'
import type { AnyLogRecord } from '../../core/logs/log-fields'
import { LOG_KINDS, type LogKind } from '../../core/logs/log-kinds'
import { maskValue } from '../../core/logs/mask-value'
import type { NumberStats } from '../../core/logs/number-stats'
import type { ScoreHistogram } from '../../core/logs/score-histogram'
import { maskSecrets } from '../../core/redaction/secrets'
import { formatCount, formatPercent } from '../../view/text/format'
import { absoluteTimeUtc } from '../../view/text/time'
import { type LogOptions, lineJson, Newest, readLogs } from '../choose/read-logs'
import { EXIT, type ExitCode, type Io } from '../io'
import { write, writeJson } from '../print/output'
import { renderTable } from '../print/table'
import { toTerminal } from '../print/terminal-text'
import { inLine } from './drops'

export type LogsOptions = LogOptions & {
  readonly kind?: LogKind
  readonly stats?: boolean
  readonly histogram?: boolean
  readonly limit: number
  /** Thresholds, 0 to 1. */
  readonly whatIf?: number
  readonly keep?: number
  readonly against?: number
  readonly trial?: boolean
}

/** Shows the logs of compactions, curations, drops, recoveries and health: their lines, or what they come to. */
export async function logs(io: Io, options: LogsOptions): Promise<ExitCode> {
  if (options.whatIf !== undefined) {
    const { whatIfLogged } = await import('./what-if')
    return whatIfLogged(io, { ...options, whatIf: options.whatIf })
  }
  const newest = new Newest(options.limit)
  const fold = new LogFold()
  const kinds = options.kind === undefined ? null : [options.kind]
  const { folders, broken } = await readLogs(io, options, kinds, (logged) => {
    newest.push(logged)
    fold.push(logged.record)
  })
  const summary = fold.summary()
  const { rows, earlier } = newest.result()
  const folded = options.stats === true || options.histogram === true
  if (options.json) {
    const session = options.session ?? null
    const shared = { session, kind: options.kind ?? null, lines: summary.lines, broken, folders }
    await writeJson(
      io,
      folded ? { ...shared, ...foldedJson(summary) } : { ...shared, records: rows.map(lineJson), earlier },
    )
    return EXIT.done
  }
  if (rows.length === 0)
    await write(io.stdout, `Nothing is logged. Looked in:\n${folders.map(inLine).join('')}`)
  else if (!folded)
    await write(
      io.stdout,
      linesText(
        rows.map(({ record }) => record),
        earlier,
      ),
    )
  else {
    const parts = [
      ...(options.stats ? [statsText(summary)] : []),
      ...(options.histogram ? [histogramText(summary.drops.scores)] : []),
    ]
    await write(io.stdout, parts.join('\n'))
  }
  return EXIT.done
}

function foldedJson({ lines, from, to, ...folds }: LogSummary) {
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  return { from: time(from), to: time(to), ...(maskValue('', folds, maskSecrets) as typeof folds) }
}

function linesText(records: readonly AnyLogRecord[], earlier: number): string {
  const table = renderTable(records, [
    { title: 'TIME (UTC)', cell: ({ at }) => (at === null ? '?' : absoluteTimeUtc(at)) },
    { title: 'LOG', cell: ({ kind }) => kind },
    { title: 'SESSION', cell: ({ sessionId }) => maskSecrets(sessionId ?? '?'), max: 40 },
    { title: 'WHAT', cell: (record) => whatText(record), max: 120 },
  ])
  return earlier > 0 ? `${table}\n${formatCount(earlier)} earlier lines are not shown.\n` : table
}

/** Values that are in their own column, or that programs alone want. */
const ELSEWHERE = new Set(['kind', 'at', 'sessionId', 'rest'])

function whatText(record: AnyLogRecord): string {
  const known = Object.entries(record).filter(([key, value]) => !ELSEWHERE.has(key) && value !== null)
  const values = [...known, ...Object.entries(record.rest)]
  return values
    .map(([key, value]) => {
      const shown = maskValue(key, value, maskSecrets)
      if (key === 'event') return String(shown)
      return `${key}=${typeof shown === 'string' ? shown : JSON.stringify(shown)}`
    })
    .join(' ')
}

function statsText({
  lines,
  from,
  to,
  drops,
  compactions,
  curations,
  recoveries,
  health,
}: LogSummary): string {
  const span = from === null || to === null ? '' : `, ${absoluteTimeUtc(from)} to ${absoluteTimeUtc(to)}`
  const counts = LOG_KINDS.map((kind) => `${kind} ${formatCount(lines[kind])}`).join(', ')
  const rows: { readonly what: string; readonly stats: NumberStats; readonly share?: true }[] = [
    { what: 'tokens saved by compactions', stats: compactions.savings },
    { what: 'chunks dropped by compactions', stats: compactions.chunksDropped },
    { what: 'chunks summarised by compactions', stats: compactions.chunksSummarized },
    { what: 'tokens saved by curation', stats: curations.savings },
    { what: 'tokens of dropped chunks', stats: drops.tokens },
    { what: 'chunks recovered', stats: recoveries.chunks },
    { what: 'fill of the window', stats: health.fill, share: true },
  ]
  const shown = rows.filter(({ stats }) => stats.count > 0 || stats.unknown > 0)
  const column = (title: string, of: (stats: NumberStats) => number | null) => ({
    title,
    align: 'right' as const,
    cell: ({ stats, share }: (typeof rows)[number]) => {
      const value = of(stats)
      if (value === null) return '?'
      return share ? formatPercent(value) : formatCount(Math.round(value))
    },
  })
  const table = renderTable(shown, [
    { title: 'WHAT', cell: ({ what }) => what },
    { title: 'LINES', align: 'right', cell: ({ stats }) => formatCount(stats.count) },
    { title: 'UNKNOWN', align: 'right', cell: ({ stats }) => formatCount(stats.unknown) },
    {
      title: 'SUM',
      align: 'right',
      // A sum of shares says nothing; one of no numbers is not 0.
      cell: ({ stats, share }) => (share || stats.count === 0 ? '' : formatCount(Math.round(stats.sum))),
    },
    column('MIN', ({ min }) => min),
    column('MEDIAN', ({ median }) => median),
    column('MEAN', ({ mean }) => mean),
    column('P95', ({ p95 }) => p95),
    column('MAX', ({ max }) => max),
  ])
  const tallies = [
    tallyText('Drops by reason', drops.reasons),
    tallyText('Compactions by trigger', compactions.triggers),
    tallyText('Recoveries by trigger', recoveries.triggers),
    ...(recoveries.undone > 0 ? [`Recoveries taken back: ${formatCount(recoveries.undone)}\n`] : []),
  ]
  return `Lines: ${counts}${span}\n\n${shown.length === 0 ? '' : `${table}\n`}${tallies.join('')}`
}

function tallyText(title: string, tally: Tally): string {
  if (tally.length === 0) return ''
  const parts = tally.map(({ name, count }) => `${name ?? 'unknown'} ${formatCount(count)}`)
  return `${title}: ${toTerminal(maskSecrets(parts.join(', ')))}\n`
}

const LONGEST_BAR = 40

function histogramText({ bins, below, above, unknown }: ScoreHistogram): string {
  const most = Math.max(1, ...bins.map(({ count }) => count))
  const table = renderTable(bins, [
    { title: 'SCORE FROM', align: 'right', cell: ({ from }) => from.toFixed(2) },
    { title: 'TO', align: 'right', cell: ({ to }) => to.toFixed(2) },
    { title: 'DROPS', align: 'right', cell: ({ count }) => formatCount(count) },
    { title: '', cell: ({ count }) => '#'.repeat(Math.ceil((count / most) * LONGEST_BAR)) },
  ])
  const beside = [
    ...(below > 0 ? [`${formatCount(below)} below 0`] : []),
    ...(above > 0 ? [`${formatCount(above)} above 1`] : []),
    ...(unknown > 0 ? [`${formatCount(unknown)} without a score`] : []),
  ]
  return `${table}${beside.length === 0 ? '' : `${beside.join(', ')}\n`}`
}
