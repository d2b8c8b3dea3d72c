import { DETECTORS } from '../../core/findings/detectors'
import type { Confidence, SessionFinding, Severity } from '../../core/findings/finding'
import { findingsQuery, OPEN_FINDINGS } from '../findings/findings-place'
import { type RemedyItem, remedyItem } from '../findings/remedy-item'

/** What is wrong with the compactions of a session, and why. Plain data. */
export type DiagnosisItem = {
  readonly id: string
  readonly kind: string
  readonly severity: Severity
  readonly confidence: Confidence
  readonly title: string
  readonly sentence: string
  readonly remedies: readonly RemedyItem[]
  /** Numbers of compactions that show it, the first ones. */
  readonly compactions: readonly number[]
  /** Calls that show it, the first ones. */
  readonly calls: readonly { readonly number: number; readonly href: string }[]
  /** All sessions that have it. */
  readonly href: string
}

/** Findings that say why compactions are as they are. */
const KINDS: ReadonlySet<string> = new Set([
  'provider-cuts-prompt',
  'overflow-uncompacted',
  'compaction-frees-nothing',
  'compaction-chain',
  'empty-summary',
  'compaction-late',
  'compaction-early',
  'compaction-unprofitable',
  'window-wrong',
])

/** Compactions and calls that a finding names here. */
const SHOWN = 4

/**
 * Findings of a session that concern its compactions.
 * @param findings of the session, the worst first
 * @param items compactions: the lines of their records, and their numbers
 * @param id of the session, as addresses carry it
 */
export function diagnosisOf(
  findings: readonly SessionFinding[],
  items: readonly { readonly line: number; readonly number: number }[],
  id: string,
): DiagnosisItem[] {
  const numbers = new Map(items.map(({ line, number }) => [line, number]))
  return findings
    .filter(({ kind }) => KINDS.has(kind))
    .map((finding) => ({
      id: finding.id,
      kind: finding.kind,
      severity: finding.severity,
      confidence: finding.confidence,
      title: DETECTORS.find(({ kind }) => kind === finding.kind)?.title ?? finding.kind,
      sentence: finding.sentence,
      remedies: finding.remedies.map((remedy) => remedyItem(remedy, `/sessions/${id}`, null)),
      compactions: finding.evidence.lines.flatMap((line) => numbers.get(line) ?? []).slice(0, SHOWN),
      calls: finding.evidence.calls
        .filter((call) => call > 0)
        .slice(0, SHOWN)
        .map((number) => ({ number, href: `/sessions/${id}?call=${number}` })),
      href: `/findings${findingsQuery({ ...OPEN_FINDINGS, kind: finding.kind })}`,
    }))
}
