import { randomBytes } from 'node:crypto'
import { openExperiments } from '../../compose/replay/lab'
import type { ExperimentResult } from '../../core/replay/experiment-result'
import { EVERY_SESSION, type ExperimentSpec, type ReplayChoice } from '../../core/replay/experiment-spec'
import { keepOutcome, planExperiment } from '../../engine/replay/experiments'
import { CliError, EXIT, type Io } from '../io'
import { chooseSession, type ListedTranscript } from './choose-session'
import type { Since } from './parse-values'
import { beginningOf } from './period'
import type { ReadVerbOptions } from './read-options'
import { setupOrFail } from './setup-or-fail'

/** Which sessions are replayed, as the command line names them. */
export type ReplaySelection = ReadVerbOptions & {
  /** Ids, keys, or the beginning of either. */
  readonly sessions?: readonly string[]
  readonly agent?: readonly string[]
  readonly since?: Since
  readonly threads?: number
}

/** The choice that the options make. @throws CliError when a name fits no session, or several */
export function selectionOf(
  { sessions = [], agent = [], since = 'all' }: ReplaySelection,
  listed: readonly ListedTranscript[],
): ReplayChoice {
  return {
    ...EVERY_SESSION,
    agents: agent,
    ids: sessions.map((wanted) => idOf(listed, wanted)),
    since: beginningOf(since, Date.now()),
  }
}

function idOf(listed: readonly ListedTranscript[], wanted: string): string {
  const choice = chooseSession(listed, wanted)
  if (choice.kind === 'one') return choice.found.transcript.id
  const fits = choice.kind === 'many' ? choice.candidates.map(({ transcript }) => transcript.sessionId) : []
  throw new CliError(
    EXIT.usage,
    choice.kind === 'none'
      ? `No session is ${JSON.stringify(wanted)}. "plimsoll sessions" lists what there is.`
      : `Several sessions begin with ${JSON.stringify(wanted)}: ${fits.slice(0, 5).join(', ')}. Name one in full.`,
    { candidates: fits },
  )
}

/** Keeps a result under a name, for the Lab page. Answers its id; null: no name was given. @throws CliError */
export async function saveNamed(
  io: Io,
  name: string | undefined,
  spec: ExperimentSpec,
  result: ExperimentResult,
): Promise<string | null> {
  if (name === undefined) return null
  const opened = await openExperiments(setupOrFail(io))
  if (!opened.ok) throw new CliError(EXIT.unreadable, opened.message)
  try {
    const now = Date.now()
    const id = `${now.toString(36)}-${randomBytes(4).toString('hex')}`
    await planExperiment(opened.rows, { id, name, spec, now })
    await keepOutcome(opened.rows, id, result, now)
    return id
  } finally {
    opened.close()
  }
}
