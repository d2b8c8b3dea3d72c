import 'server-only'
import { cleanPorts, openCommands, planPorts } from '../../compose/gateway'
import { maintainable } from '../../compose/maintenance'
import { openWriter } from '../../compose/writer'
import type { JobKind, JobOutcome } from '../../engine/jobs/job-ports'
import { reportedWait } from '../../engine/jobs/reported-writer'
import { outsideOutcome } from '../../engine/jobs/write-outcome'
import { cleanDatabase, planCleanup } from '../../engine/openclaw/clean-database'
import type { DatabasePlace, OpenClawCommands } from '../../engine/openclaw/openclaw-commands'
import {
  type CleanupAnswer,
  type CleanupWishes,
  cleanupView,
  effectText,
} from '../../view/maintenance/cleanup'
import { cleanedText, NOTHING_TO_MAINTAIN } from '../../view/maintenance/maintenance-outcome'
import { getSetup } from '../process/setup'
import { findStore } from './maintain-job'

export type CleanupParams = CleanupWishes & {
  readonly store: string
  /** The database, and its name for a reader. */
  readonly database: string
  readonly name: string
  /** The dry run that was shown (`cleanupText`); another plan is not applied. */
  readonly fingerprint: string
}

/** How long it waits for a running turn. Milliseconds. */
const WAIT_MS = 60_000

/** Asking, counting, changing, counting again. */
const STEPS = 4

/** Has OpenClaw put one of its databases in order, by the dry run that was shown. */
export const cleanupJob: JobKind<CleanupParams> = {
  describe: ({ store, database, name }) => ({
    title: `Maintain ${name}`,
    lane: `database ${database}`,
    sessionId: null,
    storeId: store,
  }),
  run: async ({ store, database, active, fixMissing, fingerprint }, context): Promise<JobOutcome> => {
    const found = await findDatabase(store, database)
    if (typeof found === 'string') return { kind: 'refused', message: found }
    const opened = await openWriter(getSetup())
    if (!opened.ok) return { kind: 'refused', message: opened.message }
    let done = 0
    const result = await cleanDatabase(cleanPorts(found.commands, opened.writer), {
      place: found.place,
      active,
      fixMissing,
      actor: 'dashboard',
      expected: fingerprint,
      wait: reportedWait(context, WAIT_MS),
      signal: context.signal,
      onStep: (doing) => context.report({ done: done++, of: STEPS, doing }),
      onReceipt: context.underReceipt,
    })
    return result.kind === 'nothing'
      ? { kind: 'done', message: NOTHING_TO_MAINTAIN, receipt: null }
      : outsideOutcome(result, ({ effect }) => cleanedText(effectText(effect)))
  },
}

/** What OpenClaw would do to a database. Its command is run, which takes some seconds; nothing is changed. */
export async function previewCleanup({
  store,
  database,
  active,
  fixMissing,
}: Pick<CleanupParams, 'store' | 'database' | 'active' | 'fixMissing'>): Promise<CleanupAnswer> {
  const found = await findDatabase(store, database)
  if (typeof found === 'string') return { kind: 'refused', problem: found }
  const { place, commands } = found
  const planned = await planCleanup(planPorts(commands), { place, active, fixMissing })
  return planned.kind === 'refused'
    ? { kind: 'refused', problem: planned.refusal.message }
    : { kind: 'planned', plan: cleanupView(planned.cleanup) }
}

/** A database of a store, and the command for it; else why there is none, for the operator. */
async function findDatabase(
  id: string,
  database: string,
): Promise<{ readonly place: DatabasePlace; readonly commands: OpenClawCommands } | string> {
  const store = await findStore(id)
  if (store === null) return 'There is no such store any more.'
  const commands = openCommands(getSetup(), process.env)
  const found = maintainable(store, commands !== null)
  if (found.kind === 'none') return found.why
  const place =
    found.kind === 'databases' ? found.places.find((known) => known.database === database) : undefined
  return place === undefined || commands === null
    ? `${database} is not a database of this store any more.`
    : { place, commands }
}
