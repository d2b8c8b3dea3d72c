import { SEVERITIES, type Severity } from '../../core/findings/finding'
import { formatCount } from '../text/format'
import type { FindingMark } from './session-findings'

/** A finding of some calls, as a mark says it. */
type MarkedFinding = Pick<FindingMark, 'finding' | 'severity' | 'title' | 'sentence'>

/** Findings at calls that are close together on a chart. */
export type CallMark = {
  /** The first of the calls, which the mark leads to, and the last. */
  readonly call: number
  readonly last: number
  /** Pixels from the left end of the plot. */
  readonly x: number
  /** Of the worst finding. */
  readonly severity: Severity
  readonly findings: readonly MarkedFinding[]
  /** What a reader hears: `Call 12: …`. */
  readonly label: string
}

/** Findings that are named at a mark. */
const MOST_NAMED = 3

/**
 * The marks of the calls on a chart, each at its place; those closer than `gap` pixels to the beginning of the one before
 * join it.
 * @param width of the plot in pixels, over the calls `from` to `to`
 */
export function callMarks(
  marks: readonly FindingMark[],
  { from, to }: { readonly from: number; readonly to: number },
  width: number,
  gap: number,
): readonly CallMark[] {
  const count = Math.max(1, to - from + 1)
  const places = marks
    .flatMap((mark) => mark.calls.map((call) => ({ call, mark })))
    .filter(({ call }) => call >= from && call <= to)
    .sort((a, b) => a.call - b.call)
  const groups: { call: number; last: number; x: number; marks: FindingMark[] }[] = []
  for (const { call, mark } of places) {
    const x = ((call - from + 0.5) / count) * width
    const group = groups.at(-1)
    if (group === undefined || x - group.x >= gap) groups.push({ call, last: call, x, marks: [mark] })
    else {
      group.last = call
      if (!group.marks.includes(mark)) group.marks.push(mark)
    }
  }
  return groups.map(({ marks: joined, ...group }) => {
    const findings = joined.toSorted(
      (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
    )
    return { ...group, severity: findings[0]?.severity ?? 'low', findings, label: labelOf(group, findings) }
  })
}

/** What is said of findings at a mark, the worst first; the others are counted. */
export function namedFindings<F>(findings: readonly F[]): {
  readonly named: readonly F[]
  readonly more: number
} {
  return { named: findings.slice(0, MOST_NAMED), more: Math.max(0, findings.length - MOST_NAMED) }
}

/** `Call 12`, `Calls 12 to 15`. */
export function callsWords({ call, last }: Pick<CallMark, 'call' | 'last'>): string {
  return call === last ? `Call ${formatCount(call)}` : `Calls ${formatCount(call)} to ${formatCount(last)}`
}

function labelOf(group: Pick<CallMark, 'call' | 'last'>, findings: readonly MarkedFinding[]): string {
  const { named, more } = namedFindings(findings)
  const sentences = named.map(({ severity, sentence }) => `${severity}: ${sentence}`).join(' ')
  return `${callsWords(group)}: ${sentences}${more === 0 ? '' : ` And ${formatCount(more)} more.`}`
}
