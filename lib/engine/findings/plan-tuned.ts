import { editSetting, type ValueEdit } from '../../core/findings/remedies/edit-setting'
import { effectUnknown } from '../../core/findings/remedies/known-effect'
import { knobPaths } from '../../core/policy/knobs/knob-at'
import { valueAtKeys } from '../../core/policy/path'
import type { Policy } from '../../core/policy/policy'
import { planEdits } from '../../core/policy/policy-edits'
import { readPolicy } from '../../core/policy/read-policy'
import type { RuntimePolicy } from '../../core/policy/runtime/runtime-policy'
import { parseSource } from '../../core/policy/source-tree'
import { TUNED_KNOBS } from '../../core/replay/tune/search-space'
import type { PickName } from '../../core/replay/tune/tune-state'
import type { SessionTotals } from '../../core/transcript/fold/fold-step'
import { loadSubjectOf } from '../read/session-subject'
import type { StoredTranscript } from '../read/sessions-once'
import { folderOf, obstacleOf, type SettingPlan, type SettingReason } from './plan-remedy'
import type { RemedyPorts } from './remedy-ports'
import { type FinishedTuning, grownSince } from './tunings'

/** What a change to the values of a tuner rests on, for a reader. */
export type TunedBasis = {
  readonly experiment: string
  readonly name: string
  readonly endedAt: number
  readonly pick: FinishedTuning['picks'][number]
  /** Sessions of the store that it was over, and those of them that have grown since. */
  readonly sessions: number
  readonly grown: number
  /** Values that the file has no key for. */
  readonly without: readonly string[]
}

export type TunedPlan = { readonly plan: SettingPlan; readonly basis: TunedBasis }

/**
 * A pick of a tuner as a change of the file that decides for the sessions of a store: the runtime's own settings as far
 * as they can say it, or our own file where its agents embed the library. Nothing is written by it.
 * @returns a sentence where it is not offered
 */
export function planTuned(
  ports: RemedyPorts,
  tuning: FinishedTuning,
  name: PickName,
  {
    store,
    transcript,
    totals,
    reason,
  }: StoredTranscript & {
    readonly totals: SessionTotals
    readonly reason: SettingReason
  },
): TunedPlan | string {
  const pick = tuning.picks.find((one) => one.pick === name)
  if (pick === undefined) return `The tuning ${tuning.name} found no such pick.`
  const refused = refusalOf(pick)
  if (refused !== null) return refused
  const policy = ports.rules.loads.policyOf(loadSubjectOf({ store, transcript, totals }))
  const runtime = ports.rules.runtimeOf(store.id)
  const isLibrary = runtime.owner === 'library'
  const unknown = isLibrary ? null : effectUnknown('keep', runtime, policy)
  if (unknown !== null) return unknown
  const home = ports.homeOf(store)
  if (home === null)
    return 'The transcripts lie beside no settings file that is changed from here; open the pick as a draft for an agent that embeds the library.'
  const document = ports.documentsOf(store).find(({ path }) => path === home.path) ?? null
  const file = document?.path ?? home.path
  const before = document?.text ?? ''
  const format = isLibrary ? 'plimsoll' : runtime.owner
  const read = { ...(document?.file ?? readPolicy(parseSource(before, file))), format }
  const { edits, unsupported } = planEdits(read, changesOf(policy, pick.policy, isLibrary))
  const values: ValueEdit[] = []
  let text = before
  for (const { path, value } of edits) {
    const key = path.join('.')
    const obstacle = document === null ? null : obstacleOf(ports, document, key)
    if (obstacle !== null) return obstacle
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue
    const edit = editSetting(parseSource(text, file), { at: 'path', path }, value)
    if (typeof edit === 'string') return edit
    if (edit.text === text) continue
    text = edit.text
    values.push({ path: edit.path, from: edit.from, to: edit.to })
  }
  if (values.length === 0)
    return unsupported.length === 0
      ? `${file} holds these values already.`
      : `The settings of this runtime have no key for what the pick changes (${unsupported.join(', ')}); open it as a draft for an agent that embeds the library.`
  const grown = grownSince(tuning, ports.listed, store.id)
  return {
    plan: {
      ...{ finding: reason, lever: null, store, file, before, text, edits: values },
      why: `The ${name} pick of the tuning ${tuning.name}.`,
      isOwn: isLibrary,
      folder: document === null || document.path === home.path ? home.folder : folderOf(document.path),
      hash: document === null || !document.exists ? null : document.hash,
      assumed: policy.runtime.assumed,
    },
    basis: {
      ...{ experiment: tuning.experiment, name: tuning.name, endedAt: tuning.endedAt, pick, ...grown },
      without: unsupported,
    },
  }
}

/** Why a pick is not offered; null: it is. */
function refusalOf({ verdict, pick, overLimit }: FinishedTuning['picks'][number]): string | null {
  if (verdict === 'no significant gain' || verdict === 'loss')
    return `The tuning found ${verdict === 'loss' ? 'a loss' : 'no significant gain'} for its ${pick} pick on sessions that it never saw, so it is not offered.`
  if (verdict === 'too few sessions')
    return `The tuning was tested on too few sessions to tell a gain, so its ${pick} pick is not offered.`
  return overLimit ? `The ${pick} pick loses more than the limit, so it is not offered.` : null
}

/** The values of a pick that are not in force: of a runtime those that were tuned, of the library all. */
function changesOf(
  { policy }: RuntimePolicy,
  wanted: Policy,
  isLibrary: boolean,
): { readonly [path: string]: unknown } {
  const paths = isLibrary
    ? knobPaths().filter((path) => !path.includes('*'))
    : TUNED_KNOBS.map(({ path }) => path)
  const of = (from: Policy, path: string) => valueAtKeys(from, path.split('.'))
  return Object.fromEntries(
    paths.flatMap((path) => {
      const value = of(wanted, path)
      return value === undefined || JSON.stringify(value) === JSON.stringify(of(policy, path))
        ? []
        : [[path, value]]
    }),
  )
}
