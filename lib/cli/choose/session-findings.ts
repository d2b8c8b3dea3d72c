import { openPolicies } from '../../compose/policy/policies'
import type { Setup } from '../../compose/setup'
import { governingOf } from '../../compose/stores/governing'
import { isAtLeast, type SessionFinding, type Severity } from '../../core/findings/finding'
import { examineSession } from '../../engine/findings/examine-session'
import { stampOf } from '../../engine/ingest/stamp'
import type { StoredTranscript } from '../../engine/read/sessions-once'
import type { Sources } from './sources'
import { unmutedFindings } from './unmuted-findings'

/** What was found in transcripts that have not changed since they were examined. */
export type ExaminedBefore = Map<
  string,
  { readonly stamp: string; readonly findings: readonly SessionFinding[] }
>

/** Answers what a session has of a severity and worse ones, without what is muted; credentials are covered. */
export type FindingsOfSession = (session: StoredTranscript) => Promise<readonly SessionFinding[]>

/**
 * What a finding is must not depend on the moment here: otherwise notices would come by the clock alone.
 * @param before is kept over checks: a transcript that stayed the same is not read again
 */
export async function openSessionFindings(
  setup: Setup,
  { stores, reader }: Pick<Sources, 'stores' | 'reader'>,
  severity: Severity,
  before: ExaminedBefore,
): Promise<FindingsOfSession> {
  const documents = await openPolicies(setup, stores)
    .documents()
    .catch(() => [])
  const { loads } = await governingOf(setup, documents, stores)
  const { prices } = setup.settings
  return async ({ store, transcript }) => {
    const now = Date.now()
    const stamp = stampOf(transcript)
    const known = before.get(transcript.id)
    const findings =
      known?.stamp === stamp
        ? known.findings
        : (await examineSession({ reader, loads, prices, now: null }, store, transcript)).findings
    before.set(transcript.id, { stamp, findings })
    const wanted = findings.filter((finding) => isAtLeast(finding, severity))
    return unmutedFindings(setup, wanted, now).shown
  }
}
