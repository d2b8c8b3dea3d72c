import { countCold } from '../../compose/cold/cold'
import { guardWarning, guardWindow, policyShares } from '../../core/budget/guard'
import { judgedLines, judgedReserve } from '../../core/budget/judged-policy'
import { nextState } from '../../core/budget/next-call'
import { regionUse } from '../../core/budget/region-use'
import { REGIONS, splitWindow } from '../../core/budget/regions'
import { actsByItself } from '../../core/budget/runtime-lines'
import { LIST_EDITION } from '../../core/tokens/list-edition'
import { fileFlaws } from '../../core/transcript/file-flaws'
import { findAgents, type InspectedAgent } from '../../engine/read/find-agents'
import type { SessionStatus } from '../../engine/read/session-status'
import { believedWords } from '../../view/policy/believed-words'
import { settingWords } from '../../view/policy/client-words'
import { REGION_VIEWS } from '../../view/policy/policy-ratio'
import { CUT_CURE } from '../../view/session/seen'
import { formatCount, formatPercent, formatQuantity } from '../../view/text/format'
import { relativeTime } from '../../view/text/time'
import { findSession } from '../choose/find-session'
import { type JudgedStatus, judgeSession } from '../choose/judge-session'
import type { ReadVerbOptions } from '../choose/read-options'
import { setupOrFail } from '../choose/setup-or-fail'
import { openSources } from '../choose/sources'
import { EXIT, type ExitCode, type Io } from '../io'
import { figureCell, figureJson, timeJson } from '../print/figure-json'
import { noteAsks } from '../print/note-asks'
import { noteFlaws } from '../print/note-flaws'
import { write, writeJson } from '../print/output'
import { renderTable } from '../print/table'
import { toTerminal } from '../print/terminal-text'

export type StatusOptions = ReadVerbOptions & { readonly session?: string; readonly policy?: string }

/** How full a session's window is now, against what its runtime really does, or against the draft that is named. */
export async function status(io: Io, options: StatusOptions): Promise<ExitCode> {
  const sources = await openSources(io, options.store)
  const listed = await findSession(io, sources, options.session)
  const { store, transcript } = listed
  const status = await judgeSession(io, sources, listed, options.policy)
  const { session, draft } = status
  const cold = await countCold(setupOrFail(io), draft.policy, transcript)
  const agents = await findAgents(sources.reader, await sources.listAll(), session)
  const report = { ...makeReport(status, options.policy ?? null, cold), agents: agents.map(agentJson) }
  const storeAsks = options.policy === undefined ? await noteAsks(io, store) : []
  if (options.json) await writeJson(io, { ...report, storeAsks })
  else await write(io.stdout, toText(session, report))
  await noteFlaws(io, transcript.path, report.flaws)
  return EXIT.done
}

function makeReport(
  { session, judged, window: inForce, reckoned }: JudgedStatus,
  draft: string | null,
  coldChunks: number | null,
) {
  const { policy, runtime } = judged
  const { tokens: window, source, uncapped } = inForce
  const { store, transcript, totals, lastCompaction } = session
  const guard = guardWindow(policy, { tokens: window, uncapped })
  const fill = totals.context
  const split = splitWindow(window, policy.budget)
  const reserve = judgedReserve(judged, inForce, reckoned)
  const { effectiveBudget: budget, historyShare, workingSpace } = policyShares(policy, window, reserve)
  const lines = judgedLines(judged, reckoned.tokens)
  const acting = lines.find(actsByItself)?.tokens ?? null
  const next = session.next.total
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
    // One of the two: what the runtime really does, or the draft that was asked for.
    runtimePolicy: runtime,
    draft,
    // What comes from the list of models says which edition of it.
    window: {
      tokens: window,
      source,
      ...(source === 'model' ? { list: LIST_EDITION } : {}),
      ...(reckoned.tokens === window
        ? {}
        : { believed: { tokens: reckoned.tokens, source: reckoned.source } }),
    },
    next: {
      tokens: next.value,
      basis: next.basis,
      ...(next.basis === 'estimated' ? { errorPct: next.errorPct } : {}),
      // The first at which something happens automatically.
      line: acting,
      state: nextState(next, window, acting),
    },
    reserve,
    effectiveBudget: budget,
    historyShare,
    // For the current turn and its tool results: what reserve and history share leave.
    workingSpace,
    guard: { ...guard, message: guardWarning(guard, window) },
    fill: { ...figureJson(fill), pctOfWindow: share(window), pctOfBudget: share(budget) },
    regions: REGIONS.map((region) => ({
      region,
      // A runtime that does not divide the window has no region but its reserve.
      tokens:
        runtime !== null && !policy.budget.enabled ? (region === 'reserve' ? reserve : null) : split[region],
      used: region === 'reserve' ? null : figureJson(regionUse(region, session)),
    })),
    loadLines: lines.map((line) => ({
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

type Report = ReturnType<typeof makeReport> & { readonly agents: readonly ReturnType<typeof agentJson>[] }

/** A sub-agent with what it was billed. Prices are as recorded, and at list prices what was not. */
function agentJson({ session: { transcript, totals }, depth }: InspectedAgent) {
  const { calls, model, input, output, cacheRead, cacheWrite, costUsd, listUsd, unpriced, accepted } = totals
  const prompts = Object.values(accepted)
  return {
    ...{ id: transcript.sessionId, key: transcript.key, file: transcript.path, depth, model, calls },
    usage: { input, output, cacheRead, cacheWrite },
    ...{ costUsd, listUsd, unpricedCalls: unpriced },
    largestPrompt: prompts.length === 0 ? null : Math.max(...prompts),
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** What the runtime noted itself, where it says that this is out of date. */
function staleText({ freshness: { runtimeTotal, runtimeTotalFresh } }: Report): string[] {
  if (runtimeTotal === null || runtimeTotalFresh !== false) return []
  return [
    `The runtime's own figure, ${formatCount(runtimeTotal)} tokens, is out of date by its own word; it is not used`,
  ]
}

/** What the next call will meet, in a sentence. */
function nextText({ next, window }: Report): string {
  const cure = window.source === 'cut' ? `. The provider cuts prompts to that. ${CUT_CURE}` : ''
  const { tokens, state } = next
  if (tokens === null || state === null) return 'Size of the next call unknown'
  const size = `${next.basis === 'estimated' ? 'about ' : ''}${formatCount(tokens)} tokens`
  if (state === 'will-not-fit')
    return `The next call will not fit: ${size} in a window of ${formatCount(window.tokens)}${cure}`
  return `The next call fits: ${size}${state === 'past-line' ? '; the line at which its runtime acts is passed' : ''}`
}

/** Both windows by name, where the lines are in another one than the provider takes. */
function beliefText({ window, next, runtimePolicy }: Report): string[] {
  const { believed } = window
  if (believed === undefined || runtimePolicy === null) return []
  return [toTerminal(believedWords({ line: next.line, believed, by: runtimePolicy.name, window }))]
}

function toText(session: SessionStatus, report: Report): string {
  const { totals } = session
  const now = Date.now()
  const { pctOfBudget } = report.fill
  const lines = [
    `${toTerminal(report.session.id)}${report.session.key === null ? '' : ` (${toTerminal(report.session.key)})`}, ${toTerminal(report.session.model ?? 'unknown model')}`,
    `${figureCell(totals.context)} of ${formatCount(report.effectiveBudget)} tokens of the effective budget${pctOfBudget === null ? '' : ` (${formatPercent(pctOfBudget / 100)})`}; window ${formatCount(report.window.tokens)} (${report.window.source}), reserve ${formatCount(report.reserve)}`,
    nextText(report),
    ...staleText(report),
    `${formatCount(report.workingSpace)} tokens of working space for the current turn and its tool results: what reserve and ${formatCount(report.historyShare)} for history leave`,
    ...(report.guard.message === null ? [] : [report.guard.message]),
    `${formatQuantity(report.calls, 'call')}, ${formatQuantity(report.turns, 'turn')}, ${formatQuantity(report.compactions.count, 'compaction')}, ${formatQuantity(report.chunks.held, 'chunk')} in the context, ${report.chunks.cold === null ? 'unknown' : formatCount(report.chunks.cold)} in cold storage, ${formatQuantity(report.unreadable, 'unreadable line')}; updated ${totals.updatedAt === null ? 'at an unknown time' : relativeTime(totals.updatedAt, now)}`,
  ]
  lines.push(
    report.runtimePolicy === null
      ? `against the draft ${toTerminal(report.draft ?? '')}`
      : `${toTerminal(report.runtimePolicy.name)} compacts it${report.loadLines.length === 0 ? ' only when asked' : ''}${report.runtimePolicy.files.length === 0 ? '' : `, by ${report.runtimePolicy.files.map(toTerminal).join(', ')}`}`,
    ...beliefText(report),
    ...(report.runtimePolicy === null ? [] : settingWords(report.runtimePolicy)).map(
      (words) => `set: ${toTerminal(words)}`,
    ),
    ...(report.runtimePolicy?.assumed ?? []).map((reason) => `assumed: ${toTerminal(reason)}`),
  )
  if (report.agents.length > 0) {
    const calls = report.agents.reduce((sum, agent) => sum + agent.calls, 0)
    const largest = Math.max(...report.agents.map(({ largestPrompt }) => largestPrompt ?? 0))
    lines.push(
      `${formatQuantity(report.agents.length, 'sub-agent')} with ${formatQuantity(calls, 'call')} of theirs, in no window of it; largest prompt ${largest === 0 ? 'unknown' : formatCount(largest)}`,
    )
  }
  const regions = renderTable(report.regions, [
    { title: 'REGION', cell: ({ region }) => REGION_VIEWS[region].label },
    {
      title: 'USED',
      cell: ({ region }) => (region === 'reserve' ? '' : figureCell(regionUse(region, session))),
      align: 'right',
    },
    { title: 'OF', cell: ({ tokens }) => (tokens === null ? '' : formatCount(tokens)), align: 'right' },
  ])
  const loadLines = renderTable(report.loadLines, [
    { title: 'LOAD LINE', cell: ({ name }) => name },
    { title: 'AT', cell: ({ tokens }) => formatCount(tokens), align: 'right' },
    { title: 'OF WINDOW', cell: ({ pct }) => formatPercent(pct / 100), align: 'right' },
    { title: '', cell: ({ passed }) => (passed === null ? 'unknown' : passed ? 'passed' : '') },
  ])
  return `${lines.join('\n')}\n\n${regions}\n${loadLines}`
}
