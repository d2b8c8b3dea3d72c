import * as z from 'zod'
import type { Milliseconds } from '../units/units'

/** Which sessions an experiment takes; an empty list restricts nothing. Ids as stores and transcripts have them. */
export type ReplayChoice = {
  readonly stores: readonly string[]
  readonly agents: readonly string[]
  /** Transcripts. */
  readonly ids: readonly string[]
  /** Only what was written to since. */
  readonly since: Milliseconds | null
}

/** What is wanted of an experiment. Plain JSON. */
export type ExperimentSpec = {
  /** Policies compared, or the best one looked for. */
  readonly kind: 'replay' | 'tune'
  readonly sessions: ReplayChoice
  /** Names of policies. */
  readonly policies: readonly string[]
}

const id = z.string().min(1).max(200)
const list = z.array(id).max(1_000)

/** More policies than this are for the tuner. */
const MOST_POLICIES = 60

/** How an experiment is read from a page or the database. */
export const EXPERIMENT_SPEC: z.ZodType<ExperimentSpec> = z.object({
  kind: z.enum(['replay', 'tune']),
  sessions: z.object({ stores: list, agents: list, ids: list, since: z.number().nullable() }),
  policies: z.array(id).max(MOST_POLICIES),
})

/** All sessions. */
export const EVERY_SESSION: ReplayChoice = { stores: [], agents: [], ids: [], since: null }
