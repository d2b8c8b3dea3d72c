import 'server-only'
import { openCatalogue, pricesEdition } from '../../compose/replay/lab'
import { maskValue } from '../../core/logs/mask-value'
import { maskSecrets } from '../../core/redaction/secrets'
import type { ReplayChoice } from '../../core/replay/experiment-spec'
import { REPLAY_VERSION } from '../../core/replay/replay-session'
import { experimentRows } from '../../db/commands/experiments'
import { refusedNeeds } from '../../db/commands/refused-needs'
import { findKnownStores } from '../../db/queries/known-stores'
import {
  countPlainReplaySessions,
  findRepeatedReplaySessions,
  findReplayChoices,
  findReplaySessions,
} from '../../db/queries/replay-sessions'
import { isTunedOver, tuningOf } from '../../engine/findings/tunings'
import { chooseSessions } from '../../engine/replay/choose-sessions'
import { findWithJob, resultOf, specOf } from '../../engine/replay/experiments'
import type { PolicyEntry } from '../../engine/replay/policy-choice'
import type { ExperimentRow, ReplayCandidate } from '../../engine/replay/replay-ports'
import { experimentWords } from '../../view/lab/experiment-words'
import type { ExperimentItem, LabSources, LabView, OpenExperiment } from '../../view/lab/lab-page'
import type { LabPlace } from '../../view/lab/lab-place'
import { labResultView } from '../../view/lab/lab-result'
import { regretsView } from '../../view/lab/regrets'
import { type TuneStore, tuneView } from '../../view/lab/tune-view'
import { shownText } from '../../view/text/shown-text'
import { getJob } from '../jobs/jobs'
import { getDatabase } from '../process/database'
import { getSetup } from '../process/setup'
import { untilChange } from '../process/until-change'

/** The newest experiments, which are listed. */
const MOST_LISTED = 100

/** Policies that a new experiment has chosen, besides what is in force, the draft, what was, and oracles. */
const USUAL = [
  'everything',
  'preset-default',
  'keep-turns-10',
  'mask-10',
  'gemini-mask',
  'opencode-prune',
  'batch-20k',
  'half-window-digest',
  'lossless-claw',
]

/** What the lab shows. */
export async function getLabPage(place: LabPlace): Promise<LabView> {
  const { connection } = await getDatabase()
  const rows = experimentRows(connection)
  const found = place.experiment === null ? null : await findWithJob(rows, place.experiment, getJob)
  return {
    sources: await sourcesOfLab(),
    experiments: rows.list(MOST_LISTED).flatMap((row) => itemOf(row) ?? []),
    open: found === null ? null : await openOf(found.row, found.job, place),
    missing: place.experiment !== null && found === null,
  }
}

/** How many sessions a choice takes. */
export function countChosen(choice: ReplayChoice): Promise<{ readonly sessions: number }> {
  return untilChange(`chosen ${JSON.stringify(choice)}`, async (database) => {
    const examined = chooseSessions(findRepeatedReplaySessions(database), choice)
    return { sessions: countPlainReplaySessions(database, choice) + examined.length }
  })
}

/** An experiment with all that came of it, as a document with credentials covered; null when there is none. */
export async function exportExperiment(id: string): Promise<object | null> {
  const found = experimentRows((await getDatabase()).connection).find(id)
  if (found === null) return null
  const { name, createdAt, spec, outcome } = found
  const ended = outcome ?? { endedAt: null, hash: null, result: null }
  return maskValue('', { name, createdAt, spec, ...ended }, maskSecrets) as object
}

async function sourcesOfLab(): Promise<LabSources> {
  const database = await getDatabase()
  const choices = await untilChange('replay choices', async () => findReplayChoices(database))
  const { entries } = await openCatalogue(getSetup(), findKnownStores(database))
  const stores = new Map(choices.map(({ storeId, storeLabel }) => [storeId, storeLabel]))
  return {
    stores: [...stores].map(([value, label]) => ({ value, label: shownText(label) })),
    agents: [...new Set(choices.flatMap(({ agent }) => agent ?? []))].sort(),
    sessions: choices.reduce((sum, { sessions }) => sum + sessions, 0),
    policies: entries.map(({ id, label, about, role, group }) => ({
      ...{ id, label, about, group },
      isUsual: isUsual({ id, role }),
    })),
  }
}

function isUsual({ id, role }: Pick<PolicyEntry, 'id' | 'role'>): boolean {
  return (
    role === 'in-force' || role === 'recorded' || role === 'oracle' || id === 'draft' || USUAL.includes(id)
  )
}

function itemOf(row: Omit<ExperimentRow, 'outcome' | 'progress'>): ExperimentItem | null {
  const spec = specOf(row)
  if (spec === null) return null
  const { id, name, createdAt } = row
  return { id, name: shownText(name), createdAt, about: experimentWords(spec) }
}

/** The stores that a tuning was over, each with its newest session. */
async function storesOf(row: ExperimentRow): Promise<readonly TuneStore[]> {
  const tuning = tuningOf(row)
  if (tuning === null) return []
  return untilChange(`tuned over ${JSON.stringify(tuning.choice)}`, async (database) => {
    const newest = new Map<string, ReplayCandidate>()
    for (const one of findReplaySessions(database)) {
      const known = newest.get(one.store.id)
      if (isTunedOver(tuning, one) && (one.updatedAt ?? 0) >= (known?.updatedAt ?? 0))
        newest.set(one.store.id, one)
    }
    return [...newest.values()].map(({ store, transcript }) => ({
      label: shownText(store.label),
      session: transcript.id,
    }))
  })
}

async function openOf(
  row: ExperimentRow,
  job: OpenExperiment['job'],
  place: LabPlace,
): Promise<OpenExperiment | null> {
  const item = itemOf(row)
  const spec = specOf(row)
  if (item === null || spec === null) return null
  return { ...item, spec, job, outcome: await outcomeOf(row, place) }
}

async function outcomeOf(row: ExperimentRow, place: LabPlace): Promise<OpenExperiment['outcome']> {
  const { outcome } = row
  const result = outcome === null ? null : resultOf(outcome)
  if (outcome === null || result === null) return null
  const { connection } = await getDatabase()
  const marks = refusedNeeds(connection)
  const prices = pricesEdition(getSetup().settings.prices)
  return {
    endedAt: outcome.endedAt,
    hash: outcome.hash,
    isOld: result.versions.replay !== REPLAY_VERSION || result.versions.prices !== prices,
    result: labResultView(result),
    regrets: regretsView(result, place.policy, ({ transcriptId, callEntry, text }) =>
      marks.of(transcriptId).some((one) => one.entry === callEntry && one.text === text),
    ),
    tune: tuneView(result, row.id, await storesOf(row)),
  }
}
