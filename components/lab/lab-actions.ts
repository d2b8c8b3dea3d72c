'use client'

import { createContext, useContext } from 'react'
import type { ExperimentSpec } from '@/lib/core/replay/experiment-spec'
import type { DoneAnswer } from '@/lib/view/actions/action-answer'
import type { CancelAction } from '@/lib/view/jobs/job-answers'
import type { RunAnswer } from '@/lib/view/lab/lab-page'

/** Server actions of the lab. */
export type LabActions = {
  readonly begin: (name: string, spec: ExperimentSpec) => Promise<RunAnswer>
  readonly runAgain: (experiment: string) => Promise<RunAnswer>
  readonly rename: (experiment: string, name: string) => Promise<DoneAnswer>
  readonly remove: (experiment: string) => Promise<DoneAnswer>
  /** Says that something is no need, or takes that back. */
  readonly refuse: (transcript: string, entry: number, text: string, isNone: boolean) => Promise<DoneAnswer>
  readonly cancel: CancelAction
}

/** What the page hands down to its cards. */
export const LabActionsContext = createContext<LabActions | null>(null)

export function useLabActions(): LabActions {
  const actions = useContext(LabActionsContext)
  if (actions === null) throw new Error('No page gives the actions of the lab')
  return actions
}
