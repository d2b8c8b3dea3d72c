import type { Milliseconds } from '../../core/units/units'
import type { Clock } from '../read/ports'

/** What a job is at a moment. `refused`: it could not be begun for a reason, and nothing was changed. */
export type JobState = 'waiting' | 'running' | 'done' | 'refused' | 'failed' | 'cancelled' | 'interrupted'

/** Jobs that have not ended. */
export const UNFINISHED: readonly JobState[] = ['waiting', 'running']

/** Steps done, all of them where that is known (null: unknown), and what is being done, in a sentence. */
export type JobProgress = { readonly done: number; readonly of: number | null; readonly doing: string }

/** What a job is about. */
type JobSubject = {
  /** What it does, for a reader. */
  readonly title: string
  /** Jobs of one lane follow each other: a session’s id, or what else must not be worked on twice at once. */
  readonly lane: string
  readonly sessionId: string | null
  readonly storeId: string | null
}

/** Plain data, as it survives a database. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json | undefined }

/** A job as it is kept. Times in milliseconds since the epoch. */
export type JobRow = JobSubject &
  JobProgress & {
    readonly id: string
    readonly kind: string
    readonly params: Json
    readonly state: JobState
    /** Id of the receipt under which it writes; set before anything of a store changes. */
    readonly receipt: string | null
    /** What came of it, in a sentence: the outcome, why it was refused, or how it failed. */
    readonly message: string | null
    readonly result: Json
    /** The process that runs it. */
    readonly process: string
    readonly createdAt: Milliseconds
    readonly startedAt: Milliseconds | null
    readonly endedAt: Milliseconds | null
  }

/** Where jobs are kept. */
export interface JobRows {
  put(job: JobRow): Promise<void>
  /** Jobs that have not ended, of all processes. */
  unfinished(): Promise<readonly JobRow[]>
}

/** Processes that run jobs, by names that no later process is given. */
export interface JobProcesses {
  /** The name of this one. */
  readonly own: string
  isAlive(name: string): boolean
}

export type JobPorts = {
  readonly clock: Clock
  /** Unique, and in the order of time when sorted as text. */
  readonly ids: { job(now: Milliseconds): string }
  readonly rows: JobRows
  readonly processes: JobProcesses
}

/** What a job is given to work with. */
export type JobContext = {
  /** Aborts when the job is cancelled. */
  readonly signal: AbortSignal
  report(progress: JobProgress): void
  /** Says under which receipt a write begins. Kept when it resolves, so that it is known whatever happens then. */
  underReceipt(id: string): Promise<void>
}

/** `stopped`: it heeded the signal, and nothing came of it. Faults are thrown. */
export type JobOutcome =
  | {
      readonly kind: 'done'
      readonly message: string
      readonly receipt: string | null
      readonly result?: Json
    }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'stopped'; readonly message: string }

/** One kind of work. */
export type JobKind<P extends Json> = {
  readonly describe: (params: P) => JobSubject
  /** Asked for again while one of its lane has not ended, it is that one. */
  readonly joins?: boolean
  readonly run: (params: P, context: JobContext) => Promise<JobOutcome>
}

/** The kinds of work by name, each with the type of its input. */
export type JobKinds<M extends { readonly [K in keyof M]: Json }> = {
  readonly [K in keyof M]: JobKind<M[K]>
}
