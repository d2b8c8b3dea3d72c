import { arch, platform } from 'node:os'
import { version } from '../../../../package.json'
import { type DatabaseInspection, inspectDatabase } from '../../../compose/inspect-database'
import { ownSettingsPath } from '../../../compose/setup'
import { inspectPorts } from '../../../compose/transcript-check'
import type { FileFlaw } from '../../../core/transcript/file-flaws'
import { type FoundFlaws, findFlaws } from '../../../engine/repair/find-flaws'
import { type ImportLosses, importLosses } from '../../../engine/repair/import-losses'
import type { StoreAsksView } from '../../../view/policy/store-asks'
import { formatBytes, formatQuantity } from '../../../view/text/format'
import type { ListedTranscript } from '../../choose/choose-session'
import type { ReadVerbOptions } from '../../choose/read-options'
import { setupOrFail } from '../../choose/setup-or-fail'
import { openSources, type Sources } from '../../choose/sources'
import { EXIT, type ExitCode, type Io } from '../../io'
import { asksOfStores, asksText } from '../../print/note-asks'
import { write, writeJson } from '../../print/output'
import { renderTable } from '../../print/table'
import { toTerminal } from '../../print/terminal-text'

/** So much of the transcripts is searched for damage. Bytes. */
const CHECKED_BYTES = 512 * 1024 * 1024

/** What was probed, found and refused, and why; changes nothing. Exit code 1 when something is wrong. */
export async function doctor(io: Io, options: ReadVerbOptions): Promise<ExitCode> {
  const setup = setupOrFail(io)
  const { environment, settingsFile, passedOver, warnings } = setup
  const sources = await openSources(io, options.store)
  const transcripts = await sources.listAll()
  const database = await inspectDatabase(environment)
  const refused = transcripts.filter(({ transcript }) => transcript.problem !== undefined)
  const migration = await importLosses(inspectPorts, transcripts, CHECKED_BYTES)
  const damage = await findFlaws(sources.outline, transcripts, CHECKED_BYTES)
  const report = {
    versions: { plimsoll: version, node: process.version, system: `${platform()} ${arch()}` },
    stateFolder: environment.home,
    settingsFile,
    passedOver,
    warnings,
    probes: sources.probes,
    stores: sources.stores.map((store) => ({
      ...store,
      problem: store.problem ?? null,
      transcripts: countStates(transcripts.filter((listed) => listed.store.id === store.id)),
    })),
    refused: refused.map(({ transcript }) => ({ file: transcript.path, problem: transcript.problem })),
    damage,
    // What stores ask for and the operator decides.
    asks: await asksOfStores(io, sources.stores),
    database,
    migration,
  }
  if (options.json) await writeJson(io, report)
  else await write(io.stdout, toText(report, sources, ownSettingsPath(setup)))
  const wrong =
    refused.length > 0 ||
    damage.flawed.some(({ flaws, problem }) => problem !== null || flaws.some(isGrave)) ||
    sources.stores.some((store) => store.problem !== undefined) ||
    database.state === 'newer' ||
    database.state === 'unreadable'
  return wrong ? EXIT.no : EXIT.done
}

/** An empty file does no harm, and a line may just be being written. */
function isGrave({ kind }: FileFlaw): boolean {
  return kind === 'headless' || kind === 'no-entry'
}

type Report = {
  readonly versions: { readonly plimsoll: string; readonly node: string; readonly system: string }
  readonly stateFolder: string
  readonly settingsFile: string | null
  readonly stores: readonly { readonly transcripts: Record<string, number> }[]
  readonly refused: readonly { readonly file: string; readonly problem: string | undefined }[]
  readonly damage: FoundFlaws
  readonly asks: readonly StoreAsksView[]
  readonly database: DatabaseInspection
  readonly migration: ImportLosses
}

/** Transcripts by state: how many are live, archived, left over. */
function countStates(listed: readonly ListedTranscript[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { transcript } of listed) counts[transcript.state] = (counts[transcript.state] ?? 0) + 1
  return counts
}

function toText(report: Report, { probes, stores }: Sources, ownSettings: string): string {
  const { versions, stateFolder, settingsFile, refused } = report
  const head = [
    `Plimsoll ${versions.plimsoll}, Node ${versions.node}, ${versions.system}`,
    `State folder: ${toTerminal(stateFolder)}`,
    `Settings file: ${settingsFile === null ? 'none' : toTerminal(settingsFile)}`,
    databaseLine(report.database),
  ].join('\n')
  const probed = renderTable(probes, [
    { title: 'PROBED', cell: ({ path }) => path },
    { title: 'KIND', cell: ({ kind }) => kind },
    { title: 'WHY', cell: ({ why }) => why },
    { title: '', cell: ({ found, problem }) => problem ?? (found ? 'found' : 'nothing there') },
  ])
  const found = stores.map((store, i) => ({ store, counts: report.stores[i]?.transcripts ?? {} }))
  const list = renderTable(found, [
    { title: 'STORE', cell: ({ store }) => store.root },
    { title: 'KIND', cell: ({ store }) => `${store.kind} (${store.era})` },
    { title: 'STATE', cell: ({ store }) => store.state },
    {
      title: 'TRANSCRIPTS',
      cell: ({ counts }) =>
        Object.entries(counts)
          .map(([state, count]) => `${count} ${state}`)
          .join(', '),
    },
    { title: '', cell: ({ store }) => store.problem ?? '' },
  ])
  const bad = renderTable(refused, [
    { title: 'REFUSED', cell: ({ file }) => file },
    { title: '', cell: ({ problem }) => problem ?? '' },
  ])
  return [
    head,
    probed.trimEnd(),
    stores.length === 0 ? 'No store was found.' : list.trimEnd(),
    ...(refused.length > 0 ? [bad.trimEnd()] : []),
    ...damageText(report.damage),
    ...asksParts(report, ownSettings),
    ...migrationText(report.migration),
    '',
  ]
    .join('\n\n')
    .replace(/\n\n$/, '\n')
}

function asksParts({ asks }: Report, ownSettings: string): readonly string[] {
  const text = asksText(asks, ownSettings).trimEnd()
  return text === '' ? [] : [text]
}

/** Transcripts that are damaged as files, and how many lines of others cannot be read. */
function damageText({ flawed, left }: FoundFlaws): readonly string[] {
  const lines = flawed.flatMap(({ file, flaws, unreadable, problem }) => [
    ...(problem === null ? [] : [problem]),
    ...flaws.map(({ text }) => `${file}: ${text}`),
    ...(unreadable > 0 && !flaws.some(({ kind }) => kind === 'no-entry')
      ? [
          `${file}: ${formatQuantity(unreadable, 'line')} cannot be read. "plimsoll repair" shows which and why.`,
        ]
      : []),
  ])
  const rest = left > 0 ? [`${formatQuantity(left, 'transcript')} not looked through for damage.`] : []
  const all = [...lines, ...rest].map(toTerminal)
  return all.length === 0 ? [] : [all.join('\n')]
}

/** What OpenClaw's move into its database would lose; nothing when there is nothing to move. */
function migrationText({ losses, checked, left }: ImportLosses): readonly string[] {
  if (checked + left === 0) return []
  const rest = left > 0 ? ` ${formatQuantity(left, 'more transcript')} not looked through.` : ''
  if (losses.length === 0)
    return [
      `OpenClaw’s move into its database would keep all of ${formatQuantity(checked, 'transcript')}.${rest}`,
    ]
  const table = renderTable(losses, [
    { title: 'LOST WHEN OPENCLAW MOVES IT', cell: ({ file }) => file },
    { title: 'ENTRIES', cell: ({ entries }) => String(entries), align: 'right' },
    { title: 'LOST', cell: ({ lost }) => String(lost), align: 'right' },
    { title: 'AFTER REPAIR', cell: ({ lostAfterRepair }) => String(lostAfterRepair), align: 'right' },
  ])
  return [
    table.trimEnd(),
    `OpenClaw’s import keeps only what is before the first bad line. "plimsoll repair FILE --apply" first.${rest}`,
  ]
}

function databaseLine({
  file,
  state,
  bytes,
  problem,
  applied,
  pending,
  unknown,
  counts,
  reader,
}: DatabaseInspection): string {
  const what = `Database: ${toTerminal(file)}`
  if (bytes === null) return `${what}, not made yet`
  if (state === 'unreadable') return `${what} cannot be read: ${toTerminal(problem ?? '')}`
  const parts = [
    formatBytes(bytes),
    `${formatQuantity(applied.length, 'migration')} applied`,
    ...(pending.length > 0 ? [`${pending.length} to come at the next start (${pending.join(', ')})`] : []),
    ...(unknown.length > 0
      ? [`made by a newer version (${toTerminal(unknown.join(', '))} is unknown here)`]
      : []),
    ...(counts
      ? [
          `${formatQuantity(counts.sessions, 'session')}, ${formatQuantity(counts.entries, 'entry', 'entries')}`,
        ]
      : []),
    reader === null
      ? 'nothing reads stores into it now'
      : `process ${reader.holder?.pid ?? '?'} reads stores into it`,
  ]
  return `${what}, ${parts.join('; ')}`
}
