import type { Milliseconds } from '../../core/units/units'
import type { Json } from '../jobs/job-ports'
import type { StoredTranscript } from '../read/sessions-once'

/** A recorded session that can be replayed. */
export type ReplayCandidate = StoredTranscript & {
  /** For a reader. */
  readonly title: string
  /** Calls that it is known to have; null: it was not read yet. */
  readonly calls: number | null
  readonly updatedAt: Milliseconds | null
}

/** Sessions that were prepared before, packed. They go with their session. */
export interface PreparedSessions {
  /** What was made of this source; null: nothing, or of another one. */
  read(transcriptId: string, source: string): Uint8Array | null
  /** A session that the database does not know is not kept. */
  keep(transcriptId: string, source: string, packed: Uint8Array): Promise<void>
}

/** Something that a call wrote, and that is no need: the operator says so. */
type RefusedNeed = {
  readonly transcriptId: string
  /** Sequence number of the entry of the call, and what it wrote. */
  readonly entry: number
  readonly text: string
}

/** What the operator says of needs. It is kept, and counts in every later run. */
export interface RefusedNeeds {
  of(transcriptId: string): readonly RefusedNeed[]
  refuse(need: RefusedNeed, at: Milliseconds): Promise<void>
  /** False when it was not refused. */
  takeBack(need: RefusedNeed): Promise<boolean>
}

/** What came of an experiment. */
export type ExperimentOutcome = {
  readonly endedAt: Milliseconds
  /** Of all that does not depend on the moment: the same input gives the same hash. */
  readonly hash: string
  readonly result: Json
}

/** An experiment as it is kept: what is wanted, and what came of it the last time. */
export type ExperimentRow = {
  readonly id: string
  readonly name: string
  readonly createdAt: Milliseconds
  readonly spec: Json
  /** Id of the job that ran it last. */
  readonly job: string | null
  readonly outcome: ExperimentOutcome | null
  /** How far a tuning came that did not end (`tune-progress.ts`); null: there is none to go on with. */
  readonly progress: Json | null
}

/** What changes of an experiment once it is planned. */
export type ExperimentChange = Partial<Pick<ExperimentRow, 'name' | 'job' | 'outcome' | 'progress'>>

/** Where experiments are kept. */
export interface ExperimentRows {
  /** Newest first, without what came of them. */
  list(limit: number): readonly Omit<ExperimentRow, 'outcome' | 'progress'>[]
  find(id: string): ExperimentRow | null
  put(experiment: ExperimentRow): Promise<void>
  /** Sets what is given and leaves the rest as it is by then: a run and its reader change one at the same time. False when there is none. */
  change(id: string, change: ExperimentChange): Promise<boolean>
  /** False when there is none. */
  remove(id: string): Promise<boolean>
}
