import type { FindingCost, SessionFinding } from '../../core/findings/finding'
import { figureJson, timeJson } from './figure-json'

/** A finding in documents for programs. What came from transcripts is to be covered before (`coverFinding`). */
export function findingJson({ evidence, concerns, ...finding }: SessionFinding) {
  const { calls, lines, times, before, after } = evidence
  return {
    id: finding.id,
    kind: finding.kind,
    severity: finding.severity,
    confidence: finding.confidence,
    session: concerns.sessionId,
    agent: concerns.agent,
    model: concerns.model,
    times,
    calls,
    lines,
    before,
    after,
    cost: findingCostJson(finding.cost),
    remedy: finding.remedies,
    sentence: finding.sentence,
    cause: finding.cause,
    firstSeen: timeJson(finding.firstSeen),
    lastSeen: timeJson(finding.lastSeen),
  }
}

export function findingCostJson({ tokens, usd, calls, unpriced }: FindingCost) {
  return {
    tokens: figureJson(tokens),
    usd: figureJson(usd),
    calls: figureJson(calls),
    unpricedCalls: unpriced,
  }
}
