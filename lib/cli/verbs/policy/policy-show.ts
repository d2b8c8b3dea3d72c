import type { PolicyWindow } from '../../../core/budget/guard'
import { guardWarning, guardWindow, policyShares } from '../../../core/budget/guard'
import { type JudgedPolicy, judgedLines, judgedReserve } from '../../../core/budget/judged-policy'
import { loadLines } from '../../../core/budget/load-lines'
import { historyBudget, REGIONS, splitWindow, type Used } from '../../../core/budget/regions'
import { actsByItself, runtimeLines } from '../../../core/budget/runtime-lines'
import { contradictions } from '../../../core/policy/check'
import { knobAt } from '../../../core/policy/knobs/knob-at'
import { type ResolvedPolicy, valueAt } from '../../../core/policy/resolve'
import type { Tokens } from '../../../core/units/units'
import { believedWords } from '../../../view/policy/believed-words'
import { settingWords } from '../../../view/policy/client-words'
import type { StoreAsksView } from '../../../view/policy/store-asks'
import { formatCount } from '../../../view/text/format'
import { NO_QUESTION, resolveChosen } from '../../choose/chosen-policy'
import { findSession } from '../../choose/find-session'
import { judgeSession } from '../../choose/judge-session'
import { policyFits } from '../../choose/policy-fit'
import { policyPaths } from '../../choose/policy-paths'
import { openSources } from '../../choose/sources'
import { EXIT, type ExitCode, type Io } from '../../io'
import { noteAsks } from '../../print/note-asks'
import { write, writeJson } from '../../print/output'
import { renderTable } from '../../print/table'
import { toTerminal } from '../../print/terminal-text'

export type ShowOptions = {
  /** A session, by key or id; left out, the newest one, as in `status`. */
  readonly session?: string
  readonly store?: readonly string[]
  readonly json?: boolean
  readonly policy?: string
  readonly window?: number
  readonly used?: Used
}

/** What a report is about. */
type Shown = {
  readonly judged: JudgedPolicy
  readonly window: PolicyWindow
  /** The one that its lines are in. */
  readonly reckoned: PolicyWindow
  /** The session that the policy governs; null where none is in question. */
  readonly session: { readonly id: string; readonly key: string | null; readonly store: string } | null
  /** Why this policy: a sentence. */
  readonly why: string
  /** How well it explains the recorded compactions; null where none is asked for, or nothing is recorded of it. */
  readonly fit: Awaited<ReturnType<typeof policyFits>> | null
  /** What the files of its store ask for and the operator decides. */
  readonly asks: readonly StoreAsksView[]
}

/**
 * Shows the policy that is really in force for a session: what its runtime does, by its release and its own settings;
 * with `--policy` the draft that it names; without any session what our own settings file makes.
 */
export async function policyShow(io: Io, options: ShowOptions): Promise<ExitCode> {
  const shown = options.policy === undefined ? await inForce(io, options) : await draft(io, options.policy)
  const asked = options.window
  const given =
    asked === undefined
      ? null
      : ({ tokens: asked, source: 'default', uncapped: asked } satisfies PolicyWindow)
  const windows = given === null ? {} : { window: given, reckoned: given }
  const asShown = { ...shown, ...windows }
  const report = makeReport(asShown, options)
  if (options.json) await writeJson(io, report)
  else await write(io.stdout, toText(asShown, report))
  return EXIT.done
}

async function draft(io: Io, name: string): Promise<Shown> {
  return ofDraft(await resolveChosen(io, { ...NO_QUESTION, chosen: name }), `The draft ${name}.`)
}

function ofDraft(resolved: ResolvedPolicy, why: string): Shown {
  const { default: tokens } = resolved.policy.window
  const window = { tokens, source: 'default', uncapped: tokens } satisfies PolicyWindow
  return {
    judged: { ...resolved, runtime: null },
    window,
    reckoned: window,
    session: null,
    why,
    fit: null,
    asks: [],
  }
}

async function inForce(io: Io, { session: wanted, store: named, json }: ShowOptions): Promise<Shown> {
  const sources = await openSources(io, named)
  if (wanted === undefined && (await sources.listAll()).length === 0) {
    const own = await resolveChosen(io, { ...NO_QUESTION, chosen: undefined })
    return ofDraft(
      own,
      'No session was found: this is what our own settings make for agents that embed the library.',
    )
  }
  const { store, transcript } = await findSession(io, sources, wanted)
  const { judged, window, reckoned } = await judgeSession(io, sources, { store, transcript }, undefined)
  const name = transcript.key ?? transcript.sessionId
  return {
    judged,
    window,
    reckoned,
    session: { id: transcript.sessionId, key: transcript.key, store: store.root },
    // Every transcript is searched for it: not for a reader at a terminal.
    fit: json === true ? await policyFits(io, sources, { store, transcript }) : null,
    asks: await noteAsks(io, store),
    why: `What ${judged.runtime?.name ?? 'its runtime'} does with the session ${name} in ${store.root}.`,
  }
}

function makeReport(
  { judged, window: inForce, reckoned, session, fit, asks }: Shown,
  { used, policy: name }: ShowOptions,
) {
  const { policy, origin, runtime } = judged
  const { tokens: window } = inForce
  const guard = guardWindow(policy, inForce)
  const lines =
    runtime === null ? loadLines(policy, window) : runtimeLines({ ...judged, runtime }, reckoned.tokens)
  const isSame = reckoned.tokens === window
  return {
    session,
    // One of the two: what the runtime really does, or the draft that was asked for.
    runtimePolicy: runtime,
    draft: name ?? null,
    window,
    // The window that its lines are in; left out where it is the same.
    ...(isSame ? {} : { believed: { tokens: reckoned.tokens, source: reckoned.source } }),
    guard: guard.verdict,
    guardMessage: guardWarning(guard, window),
    regions: splitWindow(window, policy.budget),
    ...policyShares(policy, window, judgedReserve(judged, inForce, reckoned)),
    loadLines: lines.map(({ name: line, tokens, pct, unreachable }) => ({
      name: line,
      tokens,
      pct: Math.round(pct * 100) / 100,
      ...(unreachable ? { unreachable } : {}),
    })),
    ...(used === undefined ? {} : { historyBudget: historyBudget(window, policy.budget, used) }),
    fit,
    storeAsks: asks,
    contradictions: contradictions(policy),
    policy,
    origin,
  }
}

type Report = ReturnType<typeof makeReport>

/** Both windows by name, where the lines are in another one than the provider takes. */
function beliefText({ judged, window, reckoned }: Shown): string[] {
  const { runtime } = judged
  if (runtime === null || reckoned.tokens === window.tokens) return []
  const line = judgedLines(judged, reckoned.tokens).find(actsByItself)?.tokens ?? null
  return [`${toTerminal(believedWords({ line, believed: reckoned, by: runtime.name, window }))}\n`]
}

function toText(shown: Shown, report: Report): string {
  const { policy, origin } = shown.judged
  const share = (tokens: Tokens) => `${Math.round((tokens / report.window) * 1000) / 10} %`
  const regions = REGIONS.map((name) => ({ name, tokens: report.regions[name] }))
  const values = policyPaths(policy).map((path) => ({ path, value: valueAt(policy, path) }))
  // A runtime divides no window, unless a file beside its own says so.
  const isDivided = report.runtimePolicy === null || policy.budget.enabled
  return [
    `${toTerminal(shown.why)}\n`,
    ...(report.runtimePolicy === null ? [] : settingWords(report.runtimePolicy)).map(
      (words) => `set: ${toTerminal(words)}\n`,
    ),
    ...(report.runtimePolicy?.assumed ?? []).map((reason) => `assumed: ${toTerminal(reason)}\n`),
    ...beliefText(shown),
    `Window ${formatCount(report.window)} · reserve ${formatCount(report.reserve)} · history share ${formatCount(report.historyShare)} · working space ${formatCount(report.workingSpace)}\n`,
    ...(report.guardMessage === null ? [] : [`${report.guardMessage}\n`]),
    ...(report.historyBudget === undefined
      ? []
      : [`History budget ${report.historyBudget.clamped} (formula ${report.historyBudget.formula})\n`]),
    '\n',
    ...(isDivided
      ? [
          renderTable(regions, [
            { title: 'REGION', cell: (row) => row.name },
            { title: 'TOKENS', align: 'right', cell: (row) => String(row.tokens) },
            { title: 'SHARE', align: 'right', cell: (row) => share(row.tokens) },
          ]),
          '\n',
        ]
      : []),
    renderTable(report.loadLines, [
      { title: 'LINE', cell: (row) => row.name },
      { title: 'TOKENS', align: 'right', cell: (row) => String(row.tokens) },
      { title: '%', align: 'right', cell: (row) => String(row.pct) },
      { title: '', cell: (row) => ('unreachable' in row ? 'above the hard line: never reached' : '') },
    ]),
    '\n',
    renderTable(values, [
      { title: 'SETTING', cell: (row) => row.path },
      { title: 'VALUE', cell: (row) => JSON.stringify(row.value), max: 60 },
      { title: 'UNIT', cell: (row) => knobAt(row.path)?.shape.unit ?? '' },
      { title: 'FROM', cell: (row) => origin[row.path]?.label ?? 'default' },
    ]),
    ...report.contradictions.map((found) => `${found.severity}: ${toTerminal(found.message)}\n`),
  ].join('')
}
