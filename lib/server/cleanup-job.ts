import 'server-only'
import { cleanDatabase, planCleanup } from '../engine/clean-database'
import type { JobKind, JobOutcome } from '../engine/job-ports'
import type { DatabasePlace, OpenClawCommands } from '../engine/openclaw-commands'
import { reportedWait } from '../engine/reported-writer'
import { type CleanupAnswer, type CleanupWishes, cleanupView, effectText } from '../view/cleanup'
import { cleanPorts, openCommands, planPorts } from '../wire/gateway'
import { maintainable } from '../wire/maintenance'
import { openWriter } from '../wire/writer'
import { findStore } from './maintain-job'
import { getSetup } from './setup'

export type CleanupParams = CleanupWishes & {
  readonly store: string
  /** The database, and its name for a reader. */
  readonly database: string
  readonly name: string
  /** The dry run that was looked at (`cleanupText`); another plan is not carried out. */
  readonly fingerprint: string
}

/** How long it waits for a turn that somebody runs. Milliseconds. */
const WAIT_MS = 60_000

/** Asking, counting, changing, counting again. */
const STEPS = 4

/** Has OpenClaw put one of its databases in order, by the dry run that somebody looked at. */
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
    switch (result.kind) {
      case 'refused': {
        const { code, message } = result.refusal
        return { kind: code === 'stopped' ? 'stopped' : 'refused', message }
      }
      case 'nothing':
        return { kind: 'done', message: 'Nothing changed: everything is within its limits.', receipt: null }
      case 'unverified':
        throw new Error(result.message)
      case 'done': {
        const message = [
          `Done by OpenClaw, and verified in the database: ${effectText(result.effect)}`,
          ...result.notes,
        ].join(' ')
        return { kind: 'done', message, receipt: result.receipt.id }
      }
    }
  },
}

/** What OpenClaw would do to a database. Its command is run, which takes some seconds; nothing is changed. */
export async function previewCleanup(
  store: string,
  database: string,
  { active, fixMissing }: CleanupWishes,
): Promise<CleanupAnswer> {
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
