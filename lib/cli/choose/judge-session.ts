import { governingOf } from '../../compose/stores/governing'
import type { PolicyWindow } from '../../core/budget/guard'
import type { JudgedPolicy } from '../../core/budget/judged-policy'
import { reckonedWindow, windowInForce } from '../../core/budget/session-load'
import { overrideSubject } from '../../core/budget/session-loads'
import type { ResolvedPolicy } from '../../core/policy/resolve'
import { inspectStatus, type SessionStatus } from '../../engine/read/session-status'
import { loadSubjectOf } from '../../engine/read/session-subject'
import type { Io } from '../io'
import type { ListedTranscript } from './choose-session'
import { relevantDocuments, resolveToUse } from './chosen-policy'
import { setupOrFail } from './setup-or-fail'
import type { Sources } from './sources'

/** A session, and what its fill is held against. */
export type JudgedStatus = {
  readonly session: SessionStatus
  readonly judged: JudgedPolicy
  /** Says where Plimsoll keeps logs and cold storage. */
  readonly draft: ResolvedPolicy
  readonly window: PolicyWindow
  /** The one that its lines are in: that of its runtime, whatever the provider takes. */
  readonly reckoned: PolicyWindow
}

/**
 * A session compared with what its runtime really does; with `--policy` with the draft that it names, whose values
 * that contradict each other are shown on standard error.
 * @throws CliError as `resolveChosen`
 */
export async function judgeSession(
  io: Io,
  { stores, outline, reader }: Sources,
  { store, transcript }: ListedTranscript,
  chosen: string | undefined,
): Promise<JudgedStatus> {
  const session = await inspectStatus({ outline, full: reader }, store, transcript)
  const subject = loadSubjectOf(session)
  const { judged, draft } = await policiesOfSession()
  const { model, window } = session.totals
  const inForce = windowInForce(judged.policy, model, window)
  const reckoned = judged.runtime === null ? inForce : reckonedWindow(judged.policy, model, window)
  return { session, judged, draft, window: inForce, reckoned }

  async function policiesOfSession(): Promise<Pick<JudgedStatus, 'judged' | 'draft'>> {
    if (chosen !== undefined) {
      const draft = await resolveToUse(io, { chosen, stores, store, subject: overrideSubject(subject) })
      return { judged: { ...draft, runtime: null }, draft }
    }
    const documents = await relevantDocuments(io, { stores, store })
    const { loads, draftOf } = await governingOf(setupOrFail(io), documents, [store])
    return { judged: loads.policyOf(subject), draft: draftOf(subject) }
  }
}
