import { LogFold } from '../../core/logs/fold-logs'
import type { LogRecord } from '../../core/logs/log-fields'
import { isOfKind } from '../../core/logs/read-log-line'
import { maskSecrets } from '../../core/redaction/secrets'
import { formatCount } from '../../view/text/format'
import { absoluteTimeUtc } from '../../view/text/time'
import { type LogOptions, lineJson, Newest, readLogs } from '../choose/read-logs'
import { EXIT, type ExitCode, type Io } from '../io'
import { write, writeJson } from '../print/output'
import { renderTable } from '../print/table'
import { toTerminal } from '../print/terminal-text'
import { chunkLife } from './chunk-life'

export type DropsOptions = LogOptions & {
  readonly limit: number
  /** Tell the life of this chunk instead. */
  readonly chunkId?: string
}

/** Lists what was dropped from contexts, by the drop logs: newest last. */
export async function drops(io: Io, options: DropsOptions): Promise<ExitCode> {
  const { chunkId } = options
  if (chunkId !== undefined) return chunkLife(io, { ...options, chunkId })
  const newest = new Newest(options.limit)
  const fold = new LogFold()
  const { folders, broken } = await readLogs(io, options, ['drops'], (logged) => {
    newest.push(logged)
    fold.push(logged.record)
  })
  const { rows, earlier } = newest.result()
  const { reasons } = fold.summary().drops
  if (options.json) {
    const count = fold.summary().lines.drops
    const session = options.session ?? null
    await writeJson(io, { session, count, reasons, drops: rows.map(lineJson), earlier, broken, folders })
    return EXIT.done
  }
  if (rows.length === 0) {
    const whose = options.session === undefined ? '' : ` of session ${toTerminal(options.session)}`
    await write(io.stdout, `No drop${whose} is logged. Looked in:\n${folders.map(inLine).join('')}`)
    return EXIT.done
  }
  const records = rows.map(({ record }) => record).filter((record) => isOfKind(record, 'drops'))
  const summary = reasons.map(({ name, count }) => `${name ?? 'no reason'} ${formatCount(count)}`).join(', ')
  const before = earlier > 0 ? `${formatCount(earlier)} earlier ones are not shown.\n` : ''
  await write(io.stdout, `${toText(records)}\n${before}By reason: ${toTerminal(maskSecrets(summary))}\n`)
  return EXIT.done
}

export function inLine(folder: string): string {
  return `  ${toTerminal(folder)}\n`
}

function toText(records: readonly LogRecord<'drops'>[]): string {
  const number = (value: number | null, digits?: number) =>
    value === null ? '?' : digits === undefined ? formatCount(value) : value.toFixed(digits)
  return renderTable(records, [
    { title: 'TIME (UTC)', cell: ({ at }) => (at === null ? '?' : absoluteTimeUtc(at)) },
    { title: 'CHUNK', cell: ({ chunkId }) => maskSecrets(chunkId ?? '?'), max: 40 },
    { title: 'SESSION', cell: ({ sessionId }) => maskSecrets(sessionId ?? '?'), max: 40 },
    { title: 'REASON', cell: ({ reason }) => maskSecrets(reason ?? '?'), max: 30 },
    { title: 'SCORE', align: 'right', cell: ({ relevanceScore }) => number(relevanceScore, 3) },
    { title: 'CUT-OFF', align: 'right', cell: ({ thresholdUsed }) => number(thresholdUsed, 2) },
    { title: 'TOKENS', align: 'right', cell: ({ tokens }) => number(tokens) },
    { title: 'COLD STORAGE', cell: ({ coldStoragePath }) => maskSecrets(coldStoragePath ?? '?'), max: 60 },
  ])
}
