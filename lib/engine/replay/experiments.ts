import { EXPERIMENT_RESULT, type ExperimentResult } from '../../core/replay/experiment-result'
import { EXPERIMENT_SPEC, type ExperimentSpec } from '../../core/replay/experiment-spec'
import type { Milliseconds } from '../../core/units/units'
import type { Json } from '../jobs/job-ports'
import { fingerprint } from '../read/fingerprint'
import type { ExperimentOutcome, ExperimentRow, ExperimentRows } from './replay-ports'
import type { TuneProgress } from './tune-progress'

/** Longer names are cut. Characters. */
const MOST_NAME = 120

/** Plans an experiment; it is kept before it is run. @param id unique, and in the order of time when sorted as text */
export async function planExperiment(
  rows: ExperimentRows,
  { id, name, spec, now }: { id: string; name: string; spec: ExperimentSpec; now: Milliseconds },
): Promise<ExperimentRow> {
  const experiment: ExperimentRow = {
    id,
    name: nameOf(name) || defaultName(spec),
    createdAt: now,
    spec: { ...spec, sessions: { ...spec.sessions } },
    job: null,
    outcome: null,
    progress: null,
  }
  await rows.put(experiment)
  return experiment
}

/** What is wanted of an experiment; null: another version wrote it. */
export function specOf({ spec }: Pick<ExperimentRow, 'spec'>): ExperimentSpec | null {
  const read = EXPERIMENT_SPEC.safeParse(spec)
  return read.success ? read.data : null
}

/**
 * An experiment with the job that ran it last. What came of it is at least as new as the state of the job: a run that
 * ends while it is read is not shown as one that ended without a result. null: there is no such experiment.
 */
export async function findWithJob<J>(
  rows: Pick<ExperimentRows, 'find'>,
  id: string,
  jobOf: (job: string) => Promise<J | null>,
): Promise<{ readonly row: ExperimentRow; readonly job: J | null } | null> {
  for (let row = rows.find(id); row !== null; ) {
    const job = row.job === null ? null : await jobOf(row.job)
    const now = rows.find(id)
    if (now === null || now.job === row.job) return now === null ? null : { row: now, job }
    row = now
  }
  return null
}

/**
 * Keeps what came of a run in the place of what came of the one before. An experiment that was deleted meanwhile stays so.
 * @returns what is kept; null: there is no such experiment any more
 */
export async function keepOutcome(
  rows: ExperimentRows,
  id: string,
  result: ExperimentResult,
  now: Milliseconds,
): Promise<ExperimentOutcome | null> {
  const outcome = { endedAt: now, hash: experimentHash(result), result: result as unknown as Json }
  return (await rows.change(id, { outcome, progress: null })) ? outcome : null
}

/** Keeps how far a tuning came. An experiment that was deleted meanwhile stays so. */
export async function keepProgress(rows: ExperimentRows, id: string, progress: TuneProgress): Promise<void> {
  await rows.change(id, { progress: progress as unknown as Json })
}

/** What came of an experiment; null: another version wrote it in another form. */
export function resultOf({ result }: ExperimentOutcome): ExperimentResult | null {
  const read = EXPERIMENT_RESULT.safeParse(result)
  return read.success ? read.data : null
}

/** Ids that are hashes of where a store is. */
const PLACES: readonly string[] = ['transcriptId', 'storeId']

/** The same result has the same one, wherever the stores are. */
export function experimentHash(result: ExperimentResult): string {
  return fingerprint(
    JSON.stringify(result, (key, value: unknown) => (PLACES.includes(key) ? undefined : value)),
  )
}

/** False: there is no such experiment, or nothing is left of the name. */
export async function renameExperiment(rows: ExperimentRows, id: string, name: string): Promise<boolean> {
  const next = nameOf(name)
  return next !== '' && (await rows.change(id, { name: next }))
}

function nameOf(name: string): string {
  return name.replace(/\s+/g, ' ').trim().slice(0, MOST_NAME)
}

function defaultName({ kind, policies }: ExperimentSpec): string {
  if (kind === 'tune') return 'Tuning'
  return policies.length === 1 ? (policies[0] ?? '') : `${policies.length} policies`
}
