import type { Policy } from '../../policy/policy'
import type { Interval, ReplaySum } from '../replay-result'
import type { Genes } from './search-space'
import type { SessionSplit, SplitSession } from './split-sessions'

/** What is asked of a tuner. Plain JSON. */
export type TuneAsk = {
  /** Seeds points and mutations: the same ask always ends the same. */
  readonly seed: string
  /** The policy that candidates are changes of. */
  readonly base: Policy
  /** Id of the policy in force, which the gain is against. */
  readonly current: string
  /** Points of the first stage, and changes of the best ones in the last. */
  readonly points: number
  readonly mutations: number
  /** Share of the weight of needs that may be lost for good. */
  readonly mostLost: number
}

export const DEFAULT_TUNE = { seed: 'tune', points: 96, mutations: 60, mostLost: 0.005 } as const

/** A policy that is tried: a point, or one of the table by its id. */
export type TuneCandidate = { readonly genes: Genes } | { readonly id: string }

/** What is to be replayed: one policy over some sessions, by their numbers. */
export type TuneTask = {
  readonly candidate: TuneCandidate
  readonly sessions: readonly number[]
}

/** What a policy came to over the sessions of a task; sums in the order of the sessions. */
export type TuneScore = {
  readonly costAll: number
  readonly costSent: number
  readonly needs: number
  readonly met: number
  readonly lost: number
  readonly longAll: number
  readonly longMet: number
  readonly rewrites: number
  readonly calls: number
  readonly overfull: number
}

/** Where a tuning is. Plain JSON, so that a job can be stopped and go on later. */
export type TuneState = {
  readonly ask: TuneAsk
  readonly sessions: readonly SplitSession[]
  readonly split: SessionSplit
  readonly stage: TuneStage
  /** Candidates of this stage, and what those at the end came to in the stage before, so that they are not replayed again. */
  readonly candidates: readonly TuneCandidate[]
  readonly scores: readonly TuneScore[]
  /** Set by the stages before the test. */
  readonly chosen: readonly ChosenPolicy[]
  readonly knobs: readonly KnobEffect[]
}

/** Stages in their order. `sample`, `third` and `all` halve; `around` changes the best; `knobs` asks what each knob does. */
export const TUNE_STAGES = ['sample', 'third', 'all', 'around', 'knobs', 'test', 'done'] as const

export type TuneStage = (typeof TUNE_STAGES)[number]

export type PickName = 'safe' | 'balanced' | 'cheap'

/** A policy of the front that is proposed, with what it came to where the tuner learned. */
export type ChosenPolicy = {
  readonly pick: PickName
  readonly genes: Genes
  readonly policy: Policy
  readonly learned: TuneScore
  /** It loses more than was asked for: none that was tried loses less. */
  readonly overLimit: boolean
}

/** What a knob does by itself around the balanced pick: the share saved and the long-range recall at either side. */
export type KnobEffect = {
  readonly path: string
  readonly sides: readonly {
    readonly value: number | boolean
    readonly saving: number
    readonly longRecall: number
  }[]
}

/** What a tuning says, by sessions that it did not learn on. Assuming that the agent had done the same. */
export type TuneResult = {
  readonly split: { readonly train: number; readonly test: number; readonly by: SessionSplit['by'] }
  readonly picks: readonly TunedPick[]
  readonly current: ReplaySum
  readonly oracle: ReplaySum
  readonly knobs: readonly KnobEffect[]
}

export type TunedPick = ChosenPolicy & {
  readonly tested: ReplaySum
  /** Its saving less that of the policy in force, over the same sessions. */
  readonly gain: Interval | null
  readonly verdict: 'gain' | 'loss' | 'no significant gain' | 'too few sessions'
  /** Share of the cost oracle's saving that it reaches; null: the oracle saves nothing. */
  readonly ofOracle: number | null
}
