import type { FindingMute } from '../../core/findings/mutes'
import type { Milliseconds } from '../../core/units/units'
import {
  type CauseItem,
  type CauseNotes,
  causeItem,
  costSums,
  type KeptFinding,
  paidWords,
  storeCostWords,
} from './cause-item'

/** What is wrong or dear in one session, each list with the worst first. */
export type SessionFindingsView = {
  readonly open: readonly CauseItem[]
  readonly muted: readonly CauseItem[]
  readonly gone: readonly CauseItem[]
}

/** What the chart and the tabs of a session say of its findings. */
export type SessionFindingsSummary = {
  /** Those that are there and not muted. */
  readonly open: number
  /** Of these, what names calls: the worst first. */
  readonly marks: readonly FindingMark[]
}

/** A finding at its calls. */
export type FindingMark = {
  readonly finding: string
  readonly severity: CauseItem['severity']
  readonly title: string
  readonly sentence: string
  /** Numbers of calls from 1, in order. */
  readonly calls: readonly number[]
}

/** Findings that are marked on a chart. */
const MOST_MARKED = 40

export function sessionFindingsView(kept: readonly KeptFinding[], notes: CauseNotes): SessionFindingsView {
  const items = kept.map((one) => itemOf(one, notes))
  const isOpen = ({ mute, goneAt }: CauseItem) => mute === null && goneAt === null
  return {
    open: items.filter(isOpen),
    muted: items.filter(({ mute, goneAt }) => mute !== null && goneAt === null),
    gone: items.filter(({ goneAt }) => goneAt !== null),
  }
}

export function sessionFindingsSummary(
  kept: readonly KeptFinding[],
  mutes: readonly FindingMute[],
  now: Milliseconds,
): SessionFindingsSummary {
  const { open } = sessionFindingsView(kept, { mutes, applied: [], now })
  const callsOf = new Map(kept.map(({ finding }) => [finding.id, finding.evidence.calls]))
  const marks = open.flatMap(({ finding, severity, title, sentence }) => {
    const calls = (callsOf.get(finding) ?? []).filter((call) => call > 0)
    return calls.length === 0 ? [] : [{ finding, severity, title, sentence, calls }]
  })
  return { open: open.length, marks: marks.slice(0, MOST_MARKED) }
}

/** A finding of this session alone: what it cost here. */
function itemOf(kept: KeptFinding, notes: CauseNotes): CauseItem {
  const { finding } = kept
  const { kind, cause, severity, lastSeen } = finding
  const sums = costSums(finding)
  const facts = { kind, cause, severity, lastSeen, ...sums, sessions: 1, worst: kept }
  const cost = kept.store === null ? paidWords(sums) : storeCostWords(sums)
  return { ...causeItem(facts, notes), cost }
}
