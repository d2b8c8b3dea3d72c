import { policyReserve } from '../../core/budget/guard'
import { loadLines } from '../../core/budget/load-lines'
import { REGIONS, splitWindow } from '../../core/budget/regions'
import type { Policy } from '../../core/policy/policy'
import type { ResolvedPolicy } from '../../core/policy/resolve'
import { CATEGORIES, type Category } from '../../core/tokens/category'
import { estimated, type Figure, measured, UNKNOWN } from '../../core/tokens/figure'
import { fileFlaws } from '../../core/transcript/file-flaws'
import { inspectStatus, type SessionStatus } from '../../engine/session-status'
import { formatCount, formatPercent, formatQuantity } from '../../view/format'
import { relativeTime } from '../../view/time'
import { countCold } from '../../wire/cold'
import { resolveToUse } from '../chosen-policy'
import { figureCell, figureJson, timeJson } from '../figure-json'
import { findSession } from '../find-session'
import { EXIT, type ExitCode, type Io } from '../io'
import { noteFlaws } from '../note-flaws'
import { write, writeJson } from '../output'
import { subjectOf, windowOf } from '../policy-subject'
import type { ReadOptions } from '../read-options'
import { setupOrFail } from '../setup-or-fail'
import { openSources } from '../sources'
import { renderTable } from '../table'
import { toTerminal } from '../terminal-text'

type Region = (typeof REGIONS)[number]

export type StatusOptions = ReadOptions & { readonly session?: string; readonly policy?: string }

/** How full a session's window is now, against the lines of the policy in force, or of the one that is named. */
export async function status(io: Io, options: StatusOptions): Promise<ExitCode> {
  const sources = await openSources(io, options.store)
  const { store, transcript } = await findSession(io, sources, options.session)
  const session = await inspectStatus({ outline: sources.outline, full: sources.reader }, store, transcript)
  const resolved = await resolveToUse(io, {
    chosen: options.policy,
    stores: sources.stores,
    store,
    subject: subjectOf(session),
  })
  const { sessionId, key } = transcript
  const names = key === null ? [sessionId] : [sessionId, key]
  const cold = await countCold(setupOrFail(io), resolved.policy.coldStorage, names)
  const report = makeReport(session, resolved, cold)
  if (options.json) await writeJson(io, report)
  else await write(io.stdout, toText(session, report))
  await noteFlaws(io, transcript.path, report.flaws)
  return EXIT.done
}

/** Which categories stand in which region. What nobody can name was sent as part of the system prompt. */
const REGION_CATEGORIES: { readonly [R in Region]?: (category: Category) => boolean } = {
  systemPrompt: (category) => ['system-prompt', 'tool-schemas', 'skills', 'residual'].includes(category),
  bootstrap: (category) => category === 'bootstrap-file',
  history: (category) =>
    !['system-prompt', 'tool-schemas', 'skills', 'residual', 'bootstrap-file'].includes(category),
}

function usedBy(region: Region, { next, lastOutput, totals }: SessionStatus): Figure {
  if (region === 'response') return lastOutput
  if (totals.context.basis === 'unknown') return UNKNOWN
  const belongs = REGION_CATEGORIES[region]
  if (belongs === undefined || next.total.basis === 'unknown') return UNKNOWN
  const present = CATEGORIES.filter(
    (category) => belongs(category) && next.categories[category] !== undefined,
  )
  // Without a report of the runtime nobody can tell bootstrap files from the rest of the fixed part.
  if (present.length === 0 && region === 'bootstrap') return UNKNOWN
  const tokens = present.reduce((sum, category) => sum + (next.categories[category] ?? 0), 0)
  const isMeasured = present.every((category) => next.basis[category] === 'measured')
  return isMeasured ? measured(tokens) : estimated(tokens, next.errorPct ?? 0)
}

function makeReport(session: SessionStatus, { policy }: ResolvedPolicy, coldChunks: number | null) {
  const { store, transcript, totals, lastCompaction } = session
  const { tokens: window, source } = windowOf(session, policy)
  const fill = totals.context
  const split = splitWindow(window, policy.budget)
  const reserve = policyReserve(policy, window)
  const budget = window - reserve
  const share = (of: number) => (fill.value === null || of === 0 ? null : round((fill.value / of) * 100))
  return {
    session: {
      id: transcript.sessionId,
      key: transcript.key,
      agent: transcript.agent,
      state: transcript.state,
      store: store.root,
      file: transcript.path,
      provider: totals.provider,
      model: totals.model,
    },
    window: { tokens: window, source },
    reserve,
    effectiveBudget: budget,
    fill: { ...figureJson(fill), pctOfWindow: share(window), pctOfBudget: share(budget) },
    regions: REGIONS.map((region) => ({
      region,
      tokens: split[region],
      used: region === 'reserve' ? null : figureJson(usedBy(region, session)),
    })),
    loadLines: actingLines(policy, window).map((line) => ({
      name: line.name,
      tokens: line.tokens,
      pct: round(line.pct),
      passed: fill.value === null ? null : fill.value >= line.tokens,
    })),
    compactions: {
      count: totals.compactions,
      last:
        lastCompaction === null
          ? null
          : {
              at: timeJson(lastCompaction.at),
              afterCall: lastCompaction.afterCall,
              tokensBefore: lastCompaction.tokensBefore,
              tokensAfter: lastCompaction.tokensAfter,
            },
    },
    freshness: {
      updatedAt: timeJson(totals.updatedAt),
      fileChangedAt: store.era === 'jsonl' ? timeJson(transcript.stamp.mtimeMs) : null,
      // What the runtime noted itself; it says when it no longer trusts it.
      runtimeTotal: transcript.index?.totalTokens ?? null,
      runtimeTotalFresh: transcript.index?.totalTokensFresh ?? null,
    },
    chunks: { held: session.chunks, cold: coldChunks },
    entries: totals.entries,
    unreadable: totals.unreadable,
    unknownTypes: totals.unknownTypes,
    turns: totals.turns,
    calls: totals.calls,
    flaws: fileFlaws({ ...totals, unfinished: session.unfinished }),
  }
}

type Report = ReturnType<typeof makeReport>

/** Lines that something comes of when they are passed. */
function actingLines(policy: Policy, window: number) {
  return loadLines(policy, window).filter((line) => !line.unreachable)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

const REGION_LABELS: { readonly [R in Region]: string } = {
  systemPrompt: 'System prompt',
  bootstrap: 'Bootstrap files',
  history: 'History',
  response: 'Response',
  reserve: 'Reserve',
}

function toText(session: SessionStatus, report: Report): string {
  const { totals } = session
  const now = Date.now()
  const { pctOfBudget } = report.fill
  const lines = [
    `${toTerminal(report.session.id)}${report.session.key === null ? '' : ` (${toTerminal(report.session.key)})`}, ${toTerminal(report.session.model ?? 'unknown model')}`,
    `${figureCell(totals.context)} of ${formatCount(report.effectiveBudget)} tokens of the effective budget${pctOfBudget === null ? '' : ` (${formatPercent(pctOfBudget / 100)})`}; window ${formatCount(report.window.tokens)} (${report.window.source}), reserve ${formatCount(report.reserve)}`,
    `${formatQuantity(report.calls, 'call')}, ${formatQuantity(report.turns, 'turn')}, ${formatQuantity(report.compactions.count, 'compaction')}, ${formatQuantity(report.chunks.held, 'chunk')} in the context, ${report.chunks.cold === null ? 'unknown' : formatCount(report.chunks.cold)} in cold storage, ${formatQuantity(report.unreadable, 'unreadable line')}; updated ${totals.updatedAt === null ? 'at an unknown time' : relativeTime(totals.updatedAt, now)}`,
  ]
  const regions = renderTable(report.regions, [
    { title: 'REGION', cell: ({ region }) => REGION_LABELS[region] },
    {
      title: 'USED',
      cell: ({ region }) => (region === 'reserve' ? '' : figureCell(usedBy(region, session))),
      align: 'right',
    },
    { title: 'OF', cell: ({ tokens }) => formatCount(tokens), align: 'right' },
  ])
  const loadLines = renderTable(report.loadLines, [
    { title: 'LOAD LINE', cell: ({ name }) => name },
    { title: 'AT', cell: ({ tokens }) => formatCount(tokens), align: 'right' },
    { title: 'OF WINDOW', cell: ({ pct }) => formatPercent(pct / 100), align: 'right' },
    { title: '', cell: ({ passed }) => (passed === null ? 'unknown' : passed ? 'passed' : '') },
  ])
  return `${lines.join('\n')}\n\n${regions}\n${loadLines}`
}
