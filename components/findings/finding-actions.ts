'use client'

import { createContext, useContext } from 'react'
import type { PickName } from '@/lib/core/replay/tune/tune-state'
import type { DoneAnswer } from '@/lib/view/actions/action-answer'
import type { UndoAnswer } from '@/lib/view/audit/audit-answers'
import type { AppliedAnswer, RemedyOffer } from '@/lib/view/findings/remedy-answers'

/** Server actions of pages with findings. `subject`: id of the session or store that a finding is about. */
export type FindingActions = {
  /** `pick` of a tuning that fits; null: what the finding itself says. */
  readonly remedy: (subject: string, finding: string, pick: PickName | null) => Promise<RemedyOffer>
  /** `isLossWanted`: a pick that costs more by replay, or an unknown sum, is written all the same. */
  readonly apply: (
    subject: string,
    finding: string,
    pick: PickName | null,
    seen: string,
    isLossWanted: boolean,
  ) => Promise<AppliedAnswer>
  readonly undo: (receipt: string) => Promise<UndoAnswer>
  readonly mute: (subject: string, finding: string, reason: string, until: string) => Promise<DoneAnswer>
  readonly unmute: (subject: string, finding: string) => Promise<DoneAnswer>
}

/** What the page hands down to its rows. */
export const FindingActionsContext = createContext<FindingActions | null>(null)

export function useFindingActions(): FindingActions {
  const actions = useContext(FindingActionsContext)
  if (actions === null) throw new Error('No page gives the actions of findings')
  return actions
}
