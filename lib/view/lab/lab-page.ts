import type { ExperimentSpec } from '../../core/replay/experiment-spec'
import type { Milliseconds } from '../../core/units/units'
import type { RefusedAnswer } from '../actions/action-answer'
import type { JobView } from '../jobs/jobs'
import type { LabResultView } from './lab-result'
import type { TuneView } from './tune-view'

/** A policy that can be chosen. */
export type PolicyOption = {
  readonly id: string
  readonly label: string
  readonly about: string
  /** What it goes by; options of one group are listed together. */
  readonly group: string
  /** A new experiment has it chosen already. */
  readonly isUsual: boolean
}

/** What experiments can be made of. */
export type LabSources = {
  readonly stores: readonly { readonly value: string; readonly label: string }[]
  readonly agents: readonly string[]
  /** Sessions that have calls, copies left out. */
  readonly sessions: number
  readonly policies: readonly PolicyOption[]
}

/** An experiment in the list. */
export type ExperimentItem = {
  readonly id: string
  readonly name: string
  readonly createdAt: Milliseconds
  /** `3 policies over all sessions`. */
  readonly about: string
}

/** A need that a policy left unmet. */
export type RegretItem = {
  readonly key: string
  readonly transcript: string
  readonly session: { readonly title: string; readonly href: string }
  /** What the call wrote, as it is, and shown on one line with credentials covered. */
  readonly text: string
  readonly shown: string
  readonly kind: string
  readonly weight: string
  readonly verdict: 'pointer' | 'lost'
  /** Why it counts, in a sentence. */
  readonly why: string
  readonly drop: { readonly seq: number; readonly from: number; readonly to: number; readonly href: string }
  readonly need: { readonly seq: number; readonly href: string }
  /** The operator said that it is none. */
  readonly refused: boolean
}

/** The needs that one policy of an experiment left unmet. */
export type RegretsView = {
  readonly policy: string
  readonly label: string
  readonly unmet: number
  readonly items: readonly RegretItem[]
  /** Other policies with some. */
  readonly choices: readonly { readonly value: string; readonly label: string }[]
}

/** The experiment that is open. */
export type OpenExperiment = ExperimentItem & {
  readonly spec: ExperimentSpec
  readonly job: JobView | null
  readonly outcome: {
    readonly endedAt: Milliseconds
    readonly hash: string
    /** What is prepared, or a price, has changed since: run again, it may say something else. */
    readonly isOld: boolean
    readonly result: LabResultView
    readonly regrets: RegretsView | null
    readonly tune: TuneView | null
  } | null
}

export type LabView = {
  readonly sources: LabSources
  readonly experiments: readonly ExperimentItem[]
  readonly open: OpenExperiment | null
  /** An experiment was asked for that is not there. */
  readonly missing: boolean
}

/** What became of the wish to run an experiment. */
export type RunAnswer = { readonly kind: 'started'; readonly experiment: string } | RefusedAnswer

/** The texts of a drop and of the need that it left unmet. */
export type RegretEvidence = { readonly drop: Excerpt; readonly need: Excerpt }

/** A stretch of an entry's text with what is around it; credentials covered. */
export type Excerpt = {
  readonly before: string
  /** What the need is of; '' where it is not in the text word for word. */
  readonly mark: string
  readonly after: string
  /** Why there is no text. */
  readonly problem: string | null
}
