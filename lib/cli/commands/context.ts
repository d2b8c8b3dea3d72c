import { loadLines } from '../../core/budget/load-lines'
import { toolResultReport } from '../../core/budget/tool-results'
import { CATEGORIES } from '../../core/tokens/category'
import { estimated, type Figure, measured, UNKNOWN } from '../../core/tokens/figure'
import type { Frame } from '../../core/tokens/frame'
import {
  type CallChoice,
  type ExplainedCall,
  explainCall,
  inspectSession,
} from '../../engine/inspect-session'
import { CATEGORY_VIEWS } from '../../view/category'
import { formatCount, formatPercent, formatQuantity } from '../../view/format'
import { figureCell, figureJson, timeJson } from '../figure-json'
import { findSession } from '../find-session'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { write, writeJson } from '../output'
import type { ReadOptions } from '../read-options'
import { openSources } from '../sources'
import { renderTable } from '../table'
import { toTerminal } from '../terminal-text'

export type ContextOptions = ReadOptions & {
  readonly session: string
  readonly call: CallChoice
  readonly policy?: string
}

/** What filled the window at a call, and what the model saw then, in order. */
export async function context(io: Io, options: ContextOptions): Promise<ExitCode> {
  const sources = await openSources(io, options.store)
  const { store, transcript } = await findSession(io, sources, options.session)
  const session = await inspectSession(sources.reader, store, transcript)
  const explained = explainCall(session, options.call)
  const calls = session.totals.calls
  if (explained === null) {
    const range =
      calls === 0
        ? 'It has made none yet; --call next shows what the first would see.'
        : `Calls are 1 to ${calls}, "last" and "next".`
    throw new CliError(EXIT.usage, `${transcript.sessionId} has no call ${options.call}. ${range}`, {
      calls,
    })
  }
  const lines = options.policy === undefined ? null : await linesOf(io, options.policy, explained.frame)
  if (options.json) {
    const report = toJson(transcript.sessionId, transcript.path, calls, explained, options.call)
    await writeJson(io, lines === null ? report : { ...report, loadLines: lines })
  } else {
    await write(io.stdout, toText(transcript.sessionId, calls, explained, options.call))
    if (lines !== null) await write(io.stdout, linesText(lines))
  }
  return EXIT.done
}

/** The lines of a named policy at a call, and which of them its prompt had passed. */
async function linesOf(io: Io, policy: string, frame: Frame) {
  const { NO_QUESTION, resolveChosen } = await import('../chosen-policy')
  const resolved = await resolveChosen(io, { ...NO_QUESTION, chosen: policy })
  const total = frame.total.value
  return loadLines(resolved.policy, frame.window.tokens)
    .filter((line) => !line.unreachable)
    .map(({ name, tokens, pct }) => ({
      name,
      tokens,
      pct: Math.round(pct * 10) / 10,
      passed: total === null ? null : total >= tokens,
    }))
}

function linesText(lines: Awaited<ReturnType<typeof linesOf>>): string {
  const table = renderTable(lines, [
    { title: 'LOAD LINE', cell: (line) => line.name },
    { title: 'AT', align: 'right', cell: (line) => formatCount(line.tokens) },
    { title: '', cell: (line) => (line.passed ? 'passed' : '') },
  ])
  return `\n${table}`
}

/** A category's tokens with their basis; the error of the estimated ones is the frame's. */
function categoryFigure(frame: Frame, category: (typeof CATEGORIES)[number]): Figure {
  const tokens = frame.categories[category]
  if (tokens === undefined) return UNKNOWN
  return frame.basis[category] === 'measured' ? measured(tokens) : estimated(tokens, frame.errorPct ?? 0)
}

function toJson(
  id: string,
  file: string,
  calls: number,
  { frame, entries }: ExplainedCall,
  choice: CallChoice,
) {
  return {
    session: id,
    file,
    call: choice === 'next' ? 'next' : frame.call,
    calls,
    at: timeJson(frame.at),
    provider: frame.provider,
    model: frame.model,
    window: frame.window.tokens,
    windowSource: frame.window.source,
    total: figureJson(frame.total),
    categories: CATEGORIES.filter((category) => frame.categories[category] !== undefined).map((category) => {
      const { value, ...rest } = figureJson(categoryFigure(frame, category))
      return { category, tokens: value, ...rest }
    }),
    output: figureJson(frame.output),
    stopReason: frame.stopReason,
    toolResults: toolResultReport(entries),
    entries: entries.map(({ entry, category, tokens }) => ({
      id: entry.fact.id,
      line: entry.fact.line,
      role: roleOf(entry.fact),
      category,
      tokens,
      sent: entry.sent,
      ...(entry.why === undefined ? {} : { why: entry.why }),
      at: timeJson(entry.fact.at),
      preview: entry.fact.preview ?? null,
    })),
  }
}

type Fact = ExplainedCall['entries'][number]['entry']['fact']

/** The role as the runtime's own context has it. */
function roleOf(fact: Fact): string {
  if (fact.role !== undefined) return fact.role
  switch (fact.type) {
    case 'compaction':
      return 'compactionSummary'
    case 'branch_summary':
      return 'branchSummary'
    default:
      return 'custom'
  }
}

function toText(id: string, calls: number, { frame, entries }: ExplainedCall, choice: CallChoice): string {
  const call = choice === 'next' ? `next call (after ${calls})` : `call ${frame.call} of ${calls}`
  const total = frame.total.value ?? 0
  const share = frame.total.value === null ? '' : ` (${formatPercent(total / frame.window.tokens)})`
  const head = `${toTerminal(id)}: ${call}, ${toTerminal(frame.model ?? 'unknown model')}\n${figureCell(frame.total)} of ${formatCount(frame.window.tokens)} tokens of the window${share}\n\n`
  const present = CATEGORIES.filter((category) => frame.categories[category] !== undefined)
  const categories = renderTable(present, [
    { title: 'CATEGORY', cell: (category) => CATEGORY_VIEWS[category].label },
    { title: 'TOKENS', cell: (category) => figureCell(categoryFigure(frame, category)), align: 'right' },
    {
      title: 'SHARE',
      cell: (category) => (total === 0 ? '' : formatPercent((frame.categories[category] ?? 0) / total)),
      align: 'right',
    },
  ])
  const list = renderTable(entries, [
    { title: 'LINE', cell: ({ entry }) => formatCount(entry.fact.line), align: 'right' },
    { title: 'ROLE', cell: ({ entry }) => roleOf(entry.fact) },
    { title: 'TOKENS', cell: ({ tokens }) => `≈ ${formatCount(tokens)}`, align: 'right' },
    { title: 'SENT', cell: ({ entry }) => (entry.sent ? '' : `no: ${entry.why ?? ''}`) },
    { title: 'TEXT', cell: ({ entry }) => entry.fact.preview ?? '', max: 60 },
  ])
  return `${head}${categories}\n${formatQuantity(entries.length, 'entry', 'entries')} in the context, in order:\n${list}`
}
