import { findingsIn } from '../builders/findings-in'
import { COMPACTION_RULES } from './compaction-rules'
import { FAILURE_RULES } from './failure-rules'
import { LOSS_RULES } from './loss-rules'
import { PRICE_RULES } from './price-rules'
import type { LabelledSession, LabelRule } from './rule'
import { Chance, type FilledStep, talkTranscript } from './talk'

/** One for each detector. */
export const LABEL_RULES: readonly LabelRule[] = [
  ...COMPACTION_RULES,
  ...LOSS_RULES,
  ...PRICE_RULES,
  ...FAILURE_RULES,
]

/** How a detector did: planted cases found and missed, cases that look alike and were found or left alone. */
export type Confusion = { found: number; missed: string[]; false: string[]; calm: number }

/** Runs one detector over so many planted cases and as many that look alike, made of the bases in turn. */
export function confusionOf(
  rule: LabelRule,
  bases: readonly (readonly FilledStep[])[],
  cases: number,
): Confusion {
  const confusion: Confusion = { found: 0, missed: [], false: [], calm: 0 }
  for (let i = 0; i < cases; i++) {
    const base = bases[i % bases.length] ?? []
    if (isFound(rule.kind, rule.planted(base, new Chance(i * 2 + 1)))) confusion.found += 1
    else confusion.missed.push(`planted ${i}`)
    if (isFound(rule.kind, rule.alike(base, new Chance(i * 2 + 2)))) confusion.false.push(`alike ${i}`)
    else confusion.calm += 1
  }
  return confusion
}

function isFound(kind: string, { steps, of }: LabelledSession): boolean {
  return findingsIn(talkTranscript(steps).facts(), of).some((finding) => finding.kind === kind)
}
