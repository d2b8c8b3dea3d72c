import type { InspectedCompaction } from '../../../core/compaction/inspect'
import type { ProviderCompaction } from '../../../core/compaction/inspect-checkpoint'
import type { Losses } from '../../../core/compaction/lost'
import { maskSecrets } from '../../../core/redaction/secrets'
import type { Basis } from '../../../core/tokens/figure'
import { compactionDetail } from '../../../engine/compaction/compaction-losses'
import { listCompactions } from '../../../engine/compaction/list-compactions'
import { inspectSession } from '../../../engine/read/inspect-session'
import { freedShare, freedWords } from '../../../view/compaction/compactions'
import { formatCount } from '../../../view/text/format'
import { absoluteTimeUtc } from '../../../view/text/time'
import { runtimeOfStore } from '../../choose/chosen-policy'
import { findSession } from '../../choose/find-session'
import type { ReadVerbOptions } from '../../choose/read-options'
import { openSources } from '../../choose/sources'
import { EXIT, type ExitCode, type Io } from '../../io'
import { timeJson } from '../../print/figure-json'
import { write, writeJson } from '../../print/output'
import { renderTable } from '../../print/table'
import { toTerminal } from '../../print/terminal-text'

export type CompactionsOptions = ReadVerbOptions & {
  readonly session: string
  /** How many lost names are listed for each; 0, unless said otherwise: none are searched for. */
  readonly losses: number
}

/** `losses`: null when they were not asked for, or what the provider kept is unknown. */
type Row = { readonly compaction: InspectedCompaction; readonly losses: Losses | null }

/** Lists what was compacted or reset in a session, and what that lost by name. Credentials are covered. */
export async function compactions(io: Io, options: CompactionsOptions): Promise<ExitCode> {
  const sources = await openSources(io, options.store)
  const { reader } = sources
  const { store, transcript } = await findSession(io, sources, options.session)
  const session = await inspectSession(reader, store, transcript)
  const runtime = await runtimeOfStore(io, sources.stores, store)
  const found = listCompactions(session, runtime)
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
  const { at, summarised, kept, provider, ...facts } = compaction
  return {
    ...facts,
    ...(provider !== undefined && { provider: coveredProvider(provider) }),
    at: timeJson(at),
    freed: freedShare(compaction),
    summarised: summarised.length,
    // What a provider kept on its own side is no number of entries.
    kept: provider === undefined ? kept.length : null,
    ...(losses === null ? {} : { counts: losses.counts, lost: lostJson(losses, most) }),
  }
}

function coveredProvider(provider: ProviderCompaction): ProviderCompaction {
  return provider.text === undefined ? provider : { ...provider, text: maskSecrets(provider.text) }
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
    {
      title: 'BEFORE',
      align: 'right',
      cell: ({ compaction }) => tokens(compaction.promptBefore, compaction.beforeBasis),
    },
    {
      title: 'AFTER',
      align: 'right',
      cell: ({ compaction }) => tokens(compaction.promptAfter, compaction.afterBasis),
    },
    { title: 'FREED', cell: ({ compaction }) => freedWords(freedShare(compaction)) || '?' },
    { title: 'KEPT', align: 'right', cell: ({ compaction }) => keptText(compaction) },
    { title: 'GONE', align: 'right', cell: ({ compaction }) => formatCount(compaction.summarised.length) },
    { title: 'ODD', cell: ({ compaction }) => oddText(compaction) },
  ])
  const summaries = rows.flatMap(({ compaction: { line, provider } }) =>
    provider?.text === undefined
      ? []
      : [`\nLine ${formatCount(line)}: the provider's summary: ${toTerminal(maskSecrets(provider.text))}\n`],
  )
  const lost = rows.flatMap(({ compaction, losses }) =>
    losses === null
      ? most > 0 && compaction.provider !== undefined
        ? [`\n${unknownText(compaction)}`]
        : []
      : [`\n${lossesText(compaction, losses, most)}`],
  )
  return `${table}${summaries.join('')}${lost.join('')}`
}

function keptText({ kept, provider }: InspectedCompaction): string {
  if (provider === undefined) return formatCount(kept.length)
  return provider.readable ? 'a summary' : 'unknown'
}

function tokens(value: number | null, basis: Basis): string {
  if (value === null) return '?'
  return `${basis === 'estimated' ? '≈ ' : ''}${formatCount(value)}`
}

function oddText({ midTask, oddities }: InspectedCompaction): string {
  return [...(midTask ? ['mid-task'] : []), ...oddities].join(', ')
}

/** Losses of a compaction whose kept part cannot be read. */
function unknownText({ line, provider }: InspectedCompaction): string {
  const why = provider?.problem === undefined ? 'the provider keeps it encrypted' : provider.problem
  return `Line ${formatCount(line)}: what was kept is unknown, and so is what was lost: ${toTerminal(why)}.\n`
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
