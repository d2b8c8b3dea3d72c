import type { Figure } from '../tokens/figure'
import { estimated, measured, UNKNOWN } from '../tokens/figure'
import { compareFindings, type FindingCost, type SessionFinding } from './finding'

/** Findings of one cause. */
export type CauseGroup = {
  readonly kind: string
  readonly cause: string
  /** The worst of them. */
  readonly worst: SessionFinding
  readonly sessions: number
  readonly findings: readonly SessionFinding[]
  /** Added up over its findings, which are of different sessions; unknown ones are left out and counted. */
  readonly cost: FindingCost
  readonly unknownCosts: number
}

/** Findings by cause, the dearest of the worst first. */
export function groupByCause(findings: readonly SessionFinding[]): CauseGroup[] {
  const groups = new Map<string, SessionFinding[]>()
  for (const finding of findings) {
    const group = groups.get(finding.cause)
    if (group === undefined) groups.set(finding.cause, [finding])
    else group.push(finding)
  }
  return [...groups.values()].flatMap(groupOf).sort((a, b) => compareFindings(forRank(a), forRank(b)))
}

function groupOf(unsorted: readonly SessionFinding[]): CauseGroup[] {
  const findings = unsorted.toSorted(compareFindings)
  const [worst] = findings
  if (worst === undefined) return []
  const sessions = new Set(findings.map(({ concerns }) => concerns.transcriptId)).size
  const sum = (of: (cost: FindingCost) => Figure) => addFigures(findings.map(({ cost }) => of(cost)))
  return [
    {
      kind: worst.kind,
      cause: worst.cause,
      worst,
      sessions,
      findings,
      cost: {
        tokens: sum(({ tokens }) => tokens),
        usd: sum(({ usd }) => usd),
        calls: sum(({ calls }) => calls),
        unpriced: findings.reduce((all, { cost }) => all + cost.unpriced, 0),
      },
      unknownCosts: findings.filter(({ cost }) => cost.tokens.value === null).length,
    },
  ]
}

function forRank({ worst, cost }: CauseGroup): SessionFinding {
  return { ...worst, cost }
}

/** The sum of what is known. */
function addFigures(figures: readonly Figure[]): Figure {
  let [sum, spread, known] = [0, 0, 0]
  for (const figure of figures) {
    if (figure.value === null) continue
    known += 1
    sum += figure.value
    if (figure.basis === 'estimated') spread += (figure.value * figure.errorPct) / 100
  }
  if (known === 0) return UNKNOWN
  return spread > 0 && sum > 0 ? estimated(sum, Math.max(1, Math.round((spread / sum) * 100))) : measured(sum)
}
