import { compareFindings, isAtLeast, type SessionFinding, type Severity } from '../../core/findings/finding'
import type { Milliseconds } from '../../core/units/units'
import { reasonOf } from '../../core/words/reason-of'
import { type StoredTranscript, sessionsOnce } from '../read/sessions-once'
import { examineSession, type FindingSources } from './examine-session'

/** Which findings are wanted. */
export type FindingFilter = {
  /** Those that showed at or after this moment; null: all, those without a time as well. */
  readonly from: Milliseconds | null
  /** The least that is wanted. */
  readonly severity: Severity
}

export type StoreFindings = {
  /** The worst first. */
  readonly findings: readonly SessionFinding[]
  /** Sessions that were examined. */
  readonly sessions: number
  readonly problems: readonly { readonly file: string; readonly problem: string }[]
}

/** Examines sessions one after the other; what cannot be read is named, and the others go on. */
export async function examineStores(
  sources: FindingSources,
  listed: readonly StoredTranscript[],
  filter: FindingFilter,
): Promise<StoreFindings> {
  const findings: SessionFinding[] = []
  const problems: { file: string; problem: string }[] = []
  let sessions = 0
  for (const { store, transcript } of sessionsOnce(listed, filter.from)) {
    try {
      if (transcript.problem !== undefined) throw new Error(transcript.problem)
      const { findings: found } = await examineSession(sources, store, transcript)
      sessions += 1
      findings.push(...found.filter((finding) => isWanted(finding, filter)))
    } catch (error) {
      problems.push({ file: transcript.path, problem: reasonOf(error) })
    }
  }
  return { findings: findings.sort(compareFindings), sessions, problems }
}

export function isWanted(finding: SessionFinding, { from, severity }: FindingFilter): boolean {
  return isAtLeast(finding, severity) && (from === null || (finding.lastSeen ?? 0) >= from)
}
