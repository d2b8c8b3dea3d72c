import { resolve } from 'node:path'
import { openPolicies } from '../../compose/policy/policies'
import { reportTarget, writeReport } from '../../compose/report-file'
import { governingOf } from '../../compose/stores/governing'
import { judgedStores, storeFacts } from '../../compose/stores/store-facts'
import { type CauseGroup, groupByCause } from '../../core/findings/finding-groups'
import { storeFindings } from '../../core/findings/stores/store-findings'
import { highestOf } from '../../core/lists/long-lists'
import { medianOf, type ReportSums } from '../../core/report/report-sums'
import { LIST_EDITION } from '../../core/tokens/list-edition'
import type { Milliseconds } from '../../core/units/units'
import type { StoredTranscript } from '../../engine/read/sessions-once'
import { makeReport, type Report } from '../../engine/report/make-report'
import { dayOf } from '../../view/overview/days'
import { REPORT_HTML_START, reportHtml } from '../../view/report/report-html'
import { reportMarkdown } from '../../view/report/report-markdown'
import { HABITS_SHOWN, type ReportPage, reportPage } from '../../view/report/report-page'
import { runtimeTitle } from '../../view/stores/store-title'
import type { Since } from '../choose/parse-values'
import { beginningOf } from '../choose/period'
import type { ReadVerbOptions } from '../choose/read-options'
import { setupOrFail } from '../choose/setup-or-fail'
import { openSources, type Sources } from '../choose/sources'
import { unmutedFindings } from '../choose/unmuted-findings'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { findingCostJson } from '../print/finding-json'
import { note, write, writeJson } from '../print/output'
import { renderTable } from '../print/table'
import { toTerminal } from '../print/terminal-text'

export type ReportOptions = ReadVerbOptions & {
  readonly since: Since
  readonly markdown?: boolean
  readonly html?: string
}

/** One page on what the sessions of a period used, cost and lost, read straight from the transcripts. */
export async function report(io: Io, options: ReportOptions): Promise<ExitCode> {
  const now = Date.now()
  const setup = setupOrFail(io)
  const sources = await openSources(io, options.store)
  const { stores, reader } = sources
  const target = options.html === undefined ? null : await allowedTarget(io, options.html, stores)
  const documents = await openPolicies(setup, stores)
    .documents()
    .catch(() => [])
  const { loads, runtimeOf } = await governingOf(setup, documents, stores)
  const listed = await sources.listAll()
  const ports = { reader, loads, runtimeOf, prices: setup.settings.prices, now }
  const made = await makeReport(ports, listed, beginningOf(options.since, now))
  const withStore = options.store !== undefined
  const habits = made.habits.map((habit) => ({ ...habit, command: commandFor(habit, listed, withStore) }))
  const ofStores = (await storeFacts(setup, judgedStores(listed), now)).flatMap(storeFindings)
  const { shown, muted } = unmutedFindings(setup, [...made.findings, ...ofStores], now)
  const causes = groupByCause(shown).map((group): ReportCause => {
    const session = listed.find(({ transcript }) => transcript.id === group.worst.concerns.transcriptId)
    return { ...group, session: session ?? null, command: findingsCommand(session, listed, withStore) }
  })
  const page = reportPage({
    ...made,
    ...{ now, causes, muted },
    runtimes: made.runtimes.map(({ kind, sums }) => ({ name: runtimeTitle(kind), sums })),
    agents: made.agents,
    habits,
  })
  if (target !== null) await writeReport(target, reportHtml(page))
  if (options.json) await writeJson(io, toJson(made, { causes, muted, habits }, now))
  else if (options.markdown) await write(io.stdout, reportMarkdown(page))
  else if (target === null) await write(io.stdout, toText(page))
  if (target !== null) await note(io, `Written: ${target}`)
  return EXIT.done
}

/** Findings of one cause, the session of the worst of them, and the command that lists what is found in it. */
type ReportCause = CauseGroup & { readonly session: StoredTranscript | null; readonly command: string | null }

function findingsCommand(
  session: StoredTranscript | undefined,
  listed: readonly StoredTranscript[],
  withStore: boolean,
): string | null {
  const named = session === undefined ? null : nameFor(session, listed)
  if (session === undefined || named === null) return null
  return `plimsoll findings ${quoted(named)}${storeOption(session, named, withStore)}`
}

/** The command that shows the dearest session of a habit; null where no argument could name it. */
function commandFor(
  { kind, worst, worstCall }: Report['habits'][number],
  listed: Awaited<ReturnType<Sources['listAll']>>,
  withStore: boolean,
): string | null {
  const named = nameFor(worst, listed)
  if (named === null) return null
  const store = storeOption(worst, named, withStore)
  return kind === 'reclaimed-nothing'
    ? `plimsoll compactions ${quoted(named)}${store}`
    : `plimsoll context ${quoted(named)} --call ${worstCall}${store}`
}

function storeOption({ store, transcript }: StoredTranscript, named: string, withStore: boolean): string {
  return withStore && named !== transcript.path ? ` --store ${quoted(store.root)}` : ''
}

/** Its id, where that means one session alone and no option; else its file. */
function nameFor(
  { store, transcript }: StoredTranscript,
  listed: readonly StoredTranscript[],
): string | null {
  const { sessionId, path } = transcript
  const same = listed.filter((other) => other.transcript.sessionId === sessionId)
  if (same.length === 1 && isSayable(sessionId) && !sessionId.startsWith('-')) return sessionId
  return store.era === 'jsonl' && isSayable(path) ? path : null
}

/** Whether a text can be read and typed as it is. */
function isSayable(text: string): boolean {
  return text !== '' && toTerminal(text) === text
}

/** One word of a shell. */
function quoted(text: string): string {
  return /^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function toJson(
  { from, sums, runtimes, agents, returns, problems }: Report,
  {
    causes,
    muted,
    habits,
  }: {
    readonly causes: readonly ReportCause[]
    readonly muted: number
    readonly habits: readonly (Report['habits'][number] & { readonly command: string | null })[]
  },
  now: Milliseconds,
) {
  return {
    from: from === null ? null : dayOf(from),
    to: dayOf(now),
    // By cause, the worst first; the worst finding of each speaks for it.
    findings: causes.map(({ worst, cause, sessions, cost, unknownCosts, session, command }) => ({
      id: worst.id,
      kind: worst.kind,
      cause,
      severity: worst.severity,
      confidence: worst.confidence,
      sessions,
      cost: findingCostJson(cost),
      unknownCosts,
      sentence: worst.sentence,
      remedy: worst.remedies,
      session: worst.concerns.sessionId,
      store: session?.store.root ?? null,
      file: session?.transcript.path ?? null,
      command,
    })),
    findingsMuted: muted,
    ...sumsJson(sums),
    days: sums.days,
    runtimes: runtimes.map(({ kind, sums: own }) => ({ runtime: kind, ...sumsJson(own) })),
    agents: sumsJson(agents),
    // Names that compactions lost, and those of them that came back later.
    returns,
    habits: habits.slice(0, HABITS_SHOWN).map(({ worst, tools, ...habit }) => ({
      ...habit,
      session: worst.transcript.sessionId,
      store: worst.store.root,
      file: worst.transcript.path,
      tools: tools.slice(0, HABITS_SHOWN).map(([name, tokens]) => ({ name, tokens })),
    })),
    priceList: LIST_EDITION,
    problems,
  }
}

function sumsJson({ sessions, usage, money, fills, compactions }: ReportSums) {
  const { shares, unknown, overLine, sessionsOverLine } = fills
  const { calls, ...tokens } = usage
  return {
    sessions,
    calls,
    usage: tokens,
    money,
    fills: {
      calls: shares.length,
      unknownCalls: unknown,
      median: medianOf(shares),
      largest: shares.length === 0 ? null : highestOf(shares, 0),
      callsOverLine: overLine,
      sessionsOverLine,
    },
    compactions,
  }
}

function toText({ title, lead, sections }: ReportPage): string {
  const parts = sections.map(({ title: heading, lines, table, items = [] }) =>
    [
      `${toTerminal(heading)}\n`,
      ...lines.map((line) => `  ${toTerminal(line)}\n`),
      ...(table === undefined
        ? []
        : [
            renderTable(
              table.rows,
              table.columns.map((column, i) => ({
                title: column,
                cell: (row) => row[i] ?? '',
                ...(i > 0 && { align: 'right' as const }),
              })),
            ),
          ]),
      ...items.map(({ text, command }, i) => {
        const shown = command === null ? '' : `     ${toTerminal(command)}\n`
        return `  ${i + 1}. ${toTerminal(text)}\n${shown}`
      }),
    ].join(''),
  )
  return `${toTerminal(title)}\n${toTerminal(lead)}\n\n${parts.join('\n')}`
}

/** Where the page may be written. @throws CliError */
async function allowedTarget(io: Io, file: string, stores: Sources['stores']): Promise<string> {
  const path = resolve(io.cwd, file)
  const roots = stores.map(({ root }) => root)
  const target = await reportTarget(path, roots, REPORT_HTML_START)
  if (!target.ok) throw new CliError(EXIT.refused, target.problem)
  return target.path
}
