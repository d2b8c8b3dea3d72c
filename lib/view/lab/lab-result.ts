import type { ExperimentResult, PolicyRole, ReplayedPolicy } from '../../core/replay/experiment-result'
import { PRIOR_PRECISION } from '../../core/replay/needs/need-precision'
import type { ReplaySum } from '../../core/replay/replay-result'
import type { ExcludedNeeds } from '../../core/replay/replay-session'
import { readableName } from '../session/session-title'
import { formatCount, formatPercent, formatQuantity, formatUsd } from '../text/format'
import { shownText } from '../text/shown-text'
import { fitText, intervalText, isRanged, ROLE_WORDS, shareWarning } from './result-words'
import type { ScatterPoint } from './scatter'

/** A policy as a row of the table. */
export type PolicyRow = {
  readonly number: number
  readonly name: string
  readonly label: string
  readonly about: string
  readonly role: PolicyRole
  readonly roleWords: string
  readonly saving: string
  readonly recall: string
  readonly longRecall: string
  readonly rules: string
  readonly lost: string
  readonly usd: string
  readonly rewrites: string
  readonly compactions: string
  readonly overfull: string
  readonly unmet: number
}

/** A session as a row of the table. */
type ReplayedRow = {
  readonly id: string
  readonly title: string
  readonly place: string
  readonly calls: string
  readonly needs: string
  readonly share: string
  readonly isLarge: boolean
  readonly fit: string
  readonly isRanged: boolean
  readonly excluded: string
}

/** What an experiment says, ready to be shown. */
export type LabResultView = {
  /** `12 sessions, 340 calls, 5 120 needs; the largest session has 22 % of the weight.` */
  readonly scope: string
  readonly warning: string | null
  readonly excluded: string
  /** What needs were weighed by; null: it is not known. */
  readonly weighing: string | null
  readonly ranged: string | null
  readonly rows: readonly PolicyRow[]
  readonly points: readonly ScatterPoint[]
  readonly sessions: readonly ReplayedRow[]
  readonly problems: readonly { readonly title: string; readonly problem: string }[]
}

export function labResultView(result: ExperimentResult): LabResultView {
  const { sessions, policies, problems } = result
  const rows = policies.map(policyRow)
  const weight = sessions.reduce((sum, one) => sum + one.weight, 0)
  const largest = Math.max(0, ...sessions.map((one) => (weight === 0 ? 0 : one.weight / weight)))
  const ranged = sessions.filter(({ fit }) => isRanged(fit)).length
  return {
    scope: scopeText(result, largest),
    warning: shareWarning(largest),
    excluded: excludedText(result),
    weighing: weighingText(result),
    ranged:
      ranged === 0
        ? null
        : `The recorded use of the cache of ${formatQuantity(ranged, 'session')} is not reproduced within 5 %: what they cost is a range.`,
    rows,
    points: policies.flatMap((policy, i) => pointOf(policy, i + 1)),
    sessions: sessions.map((one) => ({
      id: one.transcriptId,
      title: shownText(readableName(one.title)),
      place: one.agent === null ? '' : shownText(one.agent),
      calls: formatCount(one.calls),
      needs: formatCount(one.needs),
      share: weight === 0 ? '?' : formatPercent(one.weight / weight),
      isLarge: weight > 0 && shareWarning(one.weight / weight) !== null,
      fit: fitText(one.fit),
      isRanged: isRanged(one.fit),
      excluded: formatCount(sumOf(Object.values(one.excluded))),
    })),
    problems: problems.map(({ title, problem }) => ({ title: shownText(title), problem })),
  }
}

/** How much an experiment rests on. */
function scopeText({ sessions }: ExperimentResult, largest: number): string {
  const calls = sumOf(sessions.map((one) => one.calls))
  const needs = sumOf(sessions.map((one) => one.needs))
  return `${formatQuantity(sessions.length, 'session')}, ${formatQuantity(calls, 'call')}, ${formatQuantity(needs, 'need')}; the largest session has ${formatPercent(largest)} of the weight.${sessions.length === 1 ? ' Of one session no interval can be drawn.' : ''}`
}

/** Why what a call wrote is no need of its context. */
const EXCLUDED_WORDS: { readonly [K in keyof ExcludedNeeds]: string } = {
  quoted: 'the summary itself said first',
  reread: 'the runtime put there again by itself',
  encrypted: 'came after an encrypted compaction',
  repeated: 'only prompts had that a runtime sends again and again',
  unseen: 'was not in the recorded window either',
  refused: 'you said are none',
}

/** Weights that were left out of the needs, by why. */
function excludedText({ sessions }: ExperimentResult): string {
  const all = sumOf(sessions.map(({ weight }) => weight))
  const parts = Object.entries(EXCLUDED_WORDS).flatMap(([name, words]) => {
    const weight = sumOf(sessions.map(({ excluded }) => excluded[name as keyof ExcludedNeeds]))
    return weight === 0 ? [] : [`${formatPercent(weight / (all + weight))} that ${words}`]
  })
  return parts.length === 0 ? 'Nothing was left out of the needs.' : `Not counted: ${parts.join(', ')}.`
}

/** By what needs were weighed among the sessions, and how sure a need of a kind is. */
function weighingText({ weighing }: ExperimentResult): string | null {
  if (weighing === null) return null
  const { owners, sharedSpans, countedSpans, precision } = weighing
  const part = countedSpans < 1 ? ` (counted over ${formatPercent(countedSpans)} of all spans)` : ''
  const rare =
    owners < 2
      ? 'All of one workspace, so every span counts as rare.'
      : `Weighed among ${formatQuantity(owners, 'workspace')}: ${formatQuantity(sharedSpans, 'span')} that more than one of them has weigh less${part}.`
  const prior = formatPercent(PRIOR_PRECISION)
  const kinds = precision.map(
    ({ kind, value, shown, unseen }) =>
      `${kind} ${formatPercent(value)} (${formatQuantity(shown + unseen, 'case')})`,
  )
  return kinds.length === 0
    ? `${rare} How sure a need is: ${prior} for every kind, the prior, since nothing that was written again after a compaction in these sessions tells more.`
    : `${rare} How sure a need is, by what was written again after recorded compactions: ${kinds.join(', ')}; ${prior} for the other kinds, the prior.`
}

function policyRow({ name, label, about, role, sum, unmet }: ReplayedPolicy, i: number): PolicyRow {
  return {
    number: i + 1,
    ...{ name, label, about, role, roleWords: ROLE_WORDS[role], unmet },
    ...figuresOf(sum),
  }
}

function figuresOf(sum: ReplaySum) {
  return {
    saving: intervalText(sum.saving),
    recall: intervalText(sum.recall),
    longRecall: intervalText(sum.longRecall),
    rules: intervalText(sum.rulesKept),
    lost: intervalText(sum.lost),
    usd: sum.usdSent === null ? '?' : `≈ ${formatUsd(sum.usdSent)}`,
    rewrites: formatCount(sum.rewrites),
    compactions: formatCount(sum.compactions),
    overfull: formatCount(sum.overfull),
  }
}

/** What has no saving or no long-range need has no place in the drawing. */
function pointOf({ name, label, role, sum }: ReplayedPolicy, number: number): ScatterPoint[] {
  if (sum.saving === null || sum.longRecall === null) return []
  return [{ key: name, number, label, role, x: sum.saving, y: sum.longRecall }]
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
