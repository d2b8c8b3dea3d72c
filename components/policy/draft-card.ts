import type { Policy } from '@/lib/core/policy/policy'
import type { PolicyChanges } from '@/lib/view/policy/policy-edit'
import type { FillAggregate } from '@/lib/view/policy/policy-fills'
import type { PolicyProblem } from '@/lib/view/policy/policy-reading'

/** What a card of the draft shows, and what it answers while something on it is dragged and once it was let go. */
export type DraftCard = {
  policy: Policy
  /** The policy without what is being dragged. */
  settled: Policy
  window: number
  /** Of the operator's own sessions; null while they are read. */
  fills: FillAggregate | null
  problems: readonly PolicyProblem[]
  /** Why nothing can be changed here; null when it can. */
  locked: string | null
  onPreview: (changes: PolicyChanges | null) => void
  onChange: (changes: PolicyChanges, gesture?: string) => void
}
