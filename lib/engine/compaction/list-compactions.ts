import { type InspectedCompaction, inspectCompactions } from '../../core/compaction/inspect'
import type { RuntimeStore } from '../../core/policy/runtime/runtime-policy'
import { Branches } from '../../core/transcript/branches'
import type { InspectedSession } from '../read/inspect-session'
import { policySubjectOf } from '../read/session-subject'

/**
 * What was compacted or reset in a session, oldest first; `compactionDetail` says what each of them lost.
 * @param runtime what is known of the runtime of its store, which says why it compacted
 */
export function listCompactions(
  session: InspectedSession,
  runtime: RuntimeStore,
): readonly InspectedCompaction[] {
  const { facts, frames, store, transcript } = session
  return inspectCompactions(Branches.of(facts), frames, store.kind, {
    store: runtime,
    subject: policySubjectOf(session),
    recorded: transcript.index?.recorded ?? [],
  })
}
