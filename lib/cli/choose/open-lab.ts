import { choosePolicy, UnknownPolicyFile } from '../../compose/policy/policies'
import { findLabDatabase, openCatalogue, openReplays, pricesEdition } from '../../compose/replay/lab'
import type { ReplayChoice } from '../../core/replay/experiment-spec'
import { type GivenPolicy, withGiven } from '../../engine/replay/policy-choice'
import type { ReplayCandidate } from '../../engine/replay/replay-ports'
import { ReplayRefused, type RunReplayPorts } from '../../engine/replay/run-replay'
import { CliError, EXIT, type Io } from '../io'
import { note } from '../print/output'
import type { ListedTranscript } from './choose-session'
import { NO_QUESTION, resolveChosen } from './chosen-policy'
import { type ReplaySelection, selectionOf } from './replay-selection'
import { setupOrFail } from './setup-or-fail'
import { openSources } from './sources'

/** What replays of the command line work with, straight from the files. */
export type CliLab = {
  readonly ports: RunReplayPorts
  readonly choice: ReplayChoice
  /** Ids of the policies that were named. */
  readonly named: readonly string[]
}

/**
 * Finds sessions and policies. Sessions that were made ready are kept in the database, where there is one.
 * @param policies names of the table, presets, or files
 * @throws CliError when something that was named is not there
 */
export async function openCliLab(
  io: Io,
  options: ReplaySelection,
  policies: readonly string[],
): Promise<CliLab> {
  const setup = setupOrFail(io)
  const sources = await openSources(io, options.store)
  const listed = await sources.listAll()
  const table = await openCatalogue(setup, sources.stores)
  const known = new Set(table.entries.map(({ id }) => id))
  const given: GivenPolicy[] = []
  const named: string[] = []
  for (const name of policies) {
    const id = known.has(name) ? name : known.has(`preset-${name}`) ? `preset-${name}` : name
    if (!known.has(id)) given.push(await fileNamed(io, name, [...known]))
    named.push(id)
  }
  const { file, problem } = await findLabDatabase(setup)
  if (problem !== null) await note(io, `warning: what is made ready is not kept: ${problem}`)
  return {
    ports: {
      candidates: () => listed.map(candidateOf),
      policies: withGiven(table, given),
      executor: openReplays(setup, file, 'beside', options.threads),
      prices: pricesEdition(setup.settings.prices),
    },
    choice: selectionOf(options, listed),
    named,
  }
}

/** What cannot be replayed is wrong use. */
export async function orRefused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ReplayRefused) throw new CliError(EXIT.usage, error.message)
    throw error
  }
}

async function fileNamed(io: Io, name: string, known: readonly string[]): Promise<GivenPolicy> {
  try {
    const { label } = await choosePolicy(name, io.cwd)
    const { policy } = await resolveChosen(io, { ...NO_QUESTION, chosen: name })
    return { id: name, label, policy }
  } catch (error) {
    if (error instanceof UnknownPolicyFile)
      throw new CliError(
        EXIT.usage,
        `${JSON.stringify(name)} is neither a policy file nor one of: ${known.join(', ')}.`,
      )
    throw error
  }
}

function candidateOf({ store, transcript }: ListedTranscript): ReplayCandidate {
  const { key, sessionId, index, stamp } = transcript
  return {
    ...{ store, transcript, title: key ?? sessionId, calls: null },
    updatedAt: index?.updatedAt ?? stamp.mtimeMs,
  }
}
