import 'server-only'
import { randomBytes } from 'node:crypto'
import type { ExperimentSpec } from '../../core/replay/experiment-spec'
import { experimentRows } from '../../db/commands/experiments'
import { refusedNeeds } from '../../db/commands/refused-needs'
import { planExperiment, renameExperiment, specOf } from '../../engine/replay/experiments'
import type { DoneAnswer } from '../../view/actions/action-answer'
import type { RunAnswer } from '../../view/lab/lab-page'
import { startJob } from '../jobs/jobs'
import { getDatabase } from '../process/database'

/** Plans an experiment and begins to run it. */
export async function beginExperiment(name: string, spec: ExperimentSpec): Promise<RunAnswer> {
  const rows = experimentRows((await getDatabase()).connection)
  const now = Date.now()
  const id = `${now.toString(36)}-${randomBytes(4).toString('hex')}`
  await planExperiment(rows, { id, name, spec, now })
  return runExperiment(id)
}

/** Runs an experiment that was planned, or ran before; what came of that stays until this has ended. */
export async function runExperiment(id: string): Promise<RunAnswer> {
  const rows = experimentRows((await getDatabase()).connection)
  const planned = rows.find(id)
  if (planned === null) return { kind: 'refused', problem: 'There is no such experiment any more.' }
  if (specOf(planned) === null)
    return { kind: 'refused', problem: 'Another version of the program planned it; make a new one.' }
  const begun = await startJob('lab', { experiment: id, name: planned.name })
  if (begun.kind === 'refused') return begun
  await rows.change(id, { job: begun.job })
  return { kind: 'started', experiment: id }
}

export async function renameOnPage(id: string, name: string): Promise<DoneAnswer> {
  const rows = experimentRows((await getDatabase()).connection)
  return (await renameExperiment(rows, id, name))
    ? { kind: 'done', message: 'Renamed.' }
    : { kind: 'refused', problem: 'There is no such experiment any more, or the name is empty.' }
}

export async function removeExperiment(id: string): Promise<DoneAnswer> {
  return (await experimentRows((await getDatabase()).connection).remove(id))
    ? { kind: 'done', message: 'Deleted.' }
    : { kind: 'refused', problem: 'It was deleted before.' }
}

/** Keeps what the operator says of a need: that it is none, or is one after all. */
export async function refuseOnPage(
  transcriptId: string,
  entry: number,
  text: string,
  isNone: boolean,
): Promise<DoneAnswer> {
  const marks = refusedNeeds((await getDatabase()).connection)
  const need = { transcriptId, entry, text }
  if (isNone) await marks.refuse(need, Date.now())
  else await marks.takeBack(need)
  return { kind: 'done', message: 'Kept. The next run goes by it.' }
}
