import { type CompactionJudge, inspectCompactions } from '../../core/compaction/inspect'
import { fittedOf, type PolicyFit, policyFit } from '../../core/compaction/policy-fit'
import type { RuntimeStore } from '../../core/policy/runtime/runtime-policy'
import type { Frame } from '../../core/tokens/frame'
import { Branches } from '../../core/transcript/branches'
import type { EntryFact } from '../../core/transcript/entry'
import type { Sender } from '../../core/transcript/send-rules'
import type { InspectedSession } from './inspect-session'
import { policySubjectOf } from './session-subject'

/** How well what the runtime does explains the recorded compactions of a session. */
export function fitOfSession(session: InspectedSession, runtime: RuntimeStore): PolicyFit {
  const { store, transcript, facts, frames } = session
  const recorded = transcript.index?.recorded ?? []
  return fitOfRecord(facts, frames, store.kind, {
    store: runtime,
    subject: policySubjectOf(session),
    recorded,
  })
}

/** The same for entries and frames that were read before, from wherever. */
export function fitOfRecord(
  facts: readonly EntryFact[],
  frames: readonly Frame[],
  sender: Sender,
  judge: CompactionJudge,
): PolicyFit {
  return policyFit(fittedOf(inspectCompactions(Branches.of(facts), frames, sender, judge)))
}
