import { type ClientForm, findingFacts } from '../../core/repair/clients/client-findings'
import type { Finding, FindingClass, Risk } from '../../core/repair/finding'

/** Findings of one class. */
export type FindingGroup = {
  readonly class: FindingClass
  readonly title: string
  readonly why: string
  readonly risk: Risk
  readonly findings: readonly Finding[]
  /** Where, e.g. `3, 8–10, 44`. */
  readonly lines: string
  /** What repair does about the first one; null: nothing. */
  readonly fix: string | null
}

const RANKS: { readonly [R in Risk]: number } = { high: 0, medium: 1, low: 2 }

/** Findings by class, the most dangerous first. @param form whose transcript it is; left out: pi's or OpenClaw's */
export function groupFindings(
  findings: readonly Finding[],
  form: ClientForm | undefined,
): readonly FindingGroup[] {
  const byClass = new Map<FindingClass, Finding[]>()
  for (const finding of findings) {
    const group = byClass.get(finding.class)
    if (group === undefined) byClass.set(finding.class, [finding])
    else group.push(finding)
  }
  return [...byClass]
    .map(([name, group]): FindingGroup => {
      const { title, why, risk } = findingFacts(name, form)
      return {
        class: name,
        title,
        why,
        risk,
        findings: group,
        lines: lineRanges(group.map(({ line }) => line)),
        fix: group[0]?.fix ?? null,
      }
    })
    .toSorted((a, b) => RANKS[a.risk] - RANKS[b.risk] || b.findings.length - a.findings.length)
}

/** Line numbers with neighbours joined. */
function lineRanges(lines: readonly number[]): string {
  const sorted = [...new Set(lines)].sort((a, b) => a - b)
  const ranges: [number, number][] = []
  for (const line of sorted) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === line - 1) last[1] = line
    else ranges.push([line, line])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ')
}
