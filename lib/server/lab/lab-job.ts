import 'server-only'
import { openCatalogue, pricesEdition } from '../../compose/replay/lab'
import { experimentRows } from '../../db/commands/experiments'
import { findKnownStores } from '../../db/queries/known-stores'
import { findReplaySessions } from '../../db/queries/replay-sessions'
import type { JobKind, JobOutcome } from '../../engine/jobs/job-ports'
import { keepOutcome, keepProgress, specOf } from '../../engine/replay/experiments'
import { ReplayRefused, type RunReplayPorts, runReplay } from '../../engine/replay/run-replay'
import { runTune } from '../../engine/replay/run-tune'
import { STAGE_WORDS } from '../../view/lab/stage-words'
import { formatQuantity } from '../../view/text/format'
import { getDatabase } from '../process/database'
import { getSetup } from '../process/setup'
import { labThreads } from './lab-threads'

export type LabParams = {
  /** Id of the experiment, and its name for a reader. */
  readonly experiment: string
  readonly name: string
}

/** Runs an experiment and keeps what came of it. Experiments follow each other: each takes all processors. */
export const labJob: JobKind<LabParams> = {
  describe: ({ name }) => ({ title: `Lab: ${name}`, lane: 'lab', sessionId: null, storeId: null }),
  run: async ({ experiment }, { signal, report }): Promise<JobOutcome> => {
    const rows = experimentRows((await getDatabase()).connection)
    const planned = rows.find(experiment)
    const spec = planned === null ? null : specOf(planned)
    if (spec === null) return { kind: 'refused', message: 'There is no such experiment any more.' }
    try {
      const ports = await labPorts()
      const result =
        spec.kind === 'tune'
          ? await runTune(ports, spec, {
              signal,
              report: (stage, done, of) => report({ done, of, doing: STAGE_WORDS[stage] }),
              saved: planned?.progress,
              keep: (progress) => keepProgress(rows, experiment, progress),
            })
          : await runReplay(ports, spec, {
              signal,
              report: (stage, done, of) => report({ done, of, doing: STAGE_WORDS[stage] }),
            })
      if (result === null) return { kind: 'stopped', message: 'Stopped. It can go on where it was.' }
      const kept = await keepOutcome(rows, experiment, result, Date.now())
      if (kept === null) return { kind: 'refused', message: 'The experiment was deleted meanwhile.' }
      return {
        kind: 'done',
        message: `Replayed ${formatQuantity(result.sessions.length, 'session')} under ${formatQuantity(result.policies.length, 'policy', 'policies')}.`,
        receipt: null,
        result: { experiment, hash: kept.hash },
      }
    } catch (error) {
      if (error instanceof ReplayRefused) return { kind: 'refused', message: error.message }
      throw error
    }
  },
}

/** What experiments of the dashboard run with. */
async function labPorts(): Promise<RunReplayPorts> {
  const database = await getDatabase()
  const setup = getSetup()
  return {
    candidates: () => findReplaySessions(database),
    policies: await openCatalogue(setup, findKnownStores(database)),
    executor: await labThreads(),
    prices: pricesEdition(setup.settings.prices),
  }
}
