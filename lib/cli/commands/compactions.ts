import { type InspectedCompaction, inspectCompactions } from '../../core/compaction/inspect'
import type { Losses } from '../../core/compaction/lost'
import { maskSecrets } from '../../core/redaction/secrets'
import { Branches } from '../../core/transcript/branches'
import { compactionDetail } from '../../engine/compaction-losses'
import { inspectSession } from '../../engine/inspect-session'
import { freedShare, freedWords } from '../../view/compactions'
import { formatCount } from '../../view/format'
import { absoluteTimeUtc } from '../../view/time'
import { timeJson } from '../figure-json'
import { findSession } from '../find-session'
import { EXIT, type ExitCode, type Io } from '../io'
import { write, writeJson } from '../output'
import type { ReadOptions } from '../read-options'
import { openSources } from '../sources'
import { renderTable } from '../table'

export type CompactionsOptions = ReadOptions & {
  readonly session: string
  /** How many lost names are listed for each; 0, unless said otherwise: none are looked for. */
  readonly losses: number
}

type Row = { readonly compaction: InspectedCompaction; readonly losses: Losses | null }

/** Lists what was compacted or reset in a session, and what that lost by name. Credentials are covered. */
export async function compactions(io: Io, options: CompactionsOptions): Promise<ExitCode> {
  const sources = await openSources(io, options.store)
  const { reader } = sources
  const { store, transcript } = await findSession(io, sources, options.session)
  const session = await inspectSession(reader, store, transcript)
  const found = inspectCompactions(Branches.of(session.facts), session.frames, store.kind)
  const rows: Row[] = []
  for (const compaction of found) {
    const detail = options.losses > 0 ? await compactionDetail(reader, session, compaction) : null
    rows.push({ compaction, losses: detail?.losses ?? null })
  }
  if (options.json)
    await writeJson(io, {
      session: transcript.sessionId,
      file: transcript.path,
      compactions: rows.map((row) => rowJson(row, options.losses)),
    })
  else await write(io.stdout, toText(rows, options.losses))
  return EXIT.done
}

function rowJson({ compaction, losses }: Row, most: number) {
  const { at, summarised, kept, ...facts } = compaction
  return {
    ...facts,
    at: timeJson(at),
    freed: freedShare(compaction),
    summarised: summarised.length,
    kept: kept.length,
    ...(losses === null ? {} : { counts: losses.counts, lost: lostJson(losses, most) }),
  }
}

function lostJson({ spans }: Losses, most: number) {
  return spans.slice(0, most).map(({ kind, text, line, times, cameBack }) => ({
    kind,
    text: maskSecrets(text),
    line,
    times,
    cameBackAtLine: cameBack?.line ?? null,
  }))
}

function toText(rows: readonly Row[], most: number): string {
  if (rows.length === 0) return 'This session was never compacted or reset.\n'
  const table = renderTable(rows, [
    { title: 'LINE', align: 'right', cell: ({ compaction }) => formatCount(compaction.line) },
    {
      title: 'TIME (UTC)',
      cell: ({ compaction: { at } }) => (at === null ? '?' : absoluteTimeUtc(at)),
    },
    { title: 'KIND', cell: ({ compaction }) => compaction.kind },
    { title: 'TRIGGER', cell: ({ compaction }) => compaction.trigger },
    { title: 'BEFORE', align: 'right', cell: ({ compaction }) => tokens(compaction.promptBefore) },
    { title: 'AFTER', align: 'right', cell: ({ compaction }) => tokens(compaction.promptAfter) },
    { title: 'FREED', cell: ({ compaction }) => freedWords(freedShare(compaction)) || '?' },
    { title: 'KEPT', align: 'right', cell: ({ compaction }) => formatCount(compaction.kept.length) },
    { title: 'GONE', align: 'right', cell: ({ compaction }) => formatCount(compaction.summarised.length) },
    { title: 'ODD', cell: ({ compaction }) => oddText(compaction) },
  ])
  const lost = rows.flatMap(({ compaction, losses }) =>
    losses === null ? [] : [`\n${lossesText(compaction, losses, most)}`],
  )
  return `${table}${lost.join('')}`
}

function tokens(value: number | null): string {
  return value === null ? '?' : formatCount(value)
}

function oddText({ midTask, oddities }: InspectedCompaction): string {
  return [...(midTask ? ['mid-task'] : []), ...oddities].join(', ')
}

function lossesText({ line }: InspectedCompaction, { spans }: Losses, most: number): string {
  if (spans.length === 0) return `Line ${formatCount(line)}: nothing was lost by name.\n`
  const shown = spans.slice(0, most)
  const table = renderTable(shown, [
    { title: 'KIND', cell: ({ kind }) => kind },
    { title: 'NAME', cell: ({ text }) => maskSecrets(text), max: 80 },
    { title: 'LAST AT', align: 'right', cell: (span) => formatCount(span.line) },
    {
      title: 'CAME BACK',
      cell: ({ cameBack }) => (cameBack === null ? 'no' : `line ${formatCount(cameBack.line)}`),
    },
  ])
  const more = spans.length > shown.length ? `${formatCount(spans.length - shown.length)} more\n` : ''
  return `Lost at line ${formatCount(line)}:\n${table}${more}`
}
