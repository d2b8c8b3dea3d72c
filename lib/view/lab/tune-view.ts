import { tunedId } from '../../core/findings/remedies/tuned-kinds'
import { planEdits } from '../../core/policy/policy-edits'
import { readPolicy } from '../../core/policy/read-policy'
import { parseSource } from '../../core/policy/source-tree'
import type { ExperimentResult, TuneOutcome } from '../../core/replay/experiment-result'
import { policyLink } from '../policy/policy-link'
import { flatPolicy, policyChanges } from '../policy/policy-values'
import { runtimeTitle } from '../stores/store-title'
import { formatPercent, formatQuantity } from '../text/format'
import { intervalText } from './result-words'

/** What the tuner chose, ready to be shown. */
export type TuneView = {
  /** Whether it gains anything, with the numbers, in a sentence. */
  readonly verdict: string
  readonly isGain: boolean
  /** On what it learnt and was tested. */
  readonly split: string
  readonly picks: readonly TunePick[]
  /** Where a pick can be applied as a remedy: a store, with the session that it is worked out for. */
  readonly stores: readonly TuneStore[]
}

/** A store that the tuning was over. */
export type TuneStore = { readonly label: string; readonly session: string }

/** One of the three picks. */
export type TunePick = {
  readonly name: string
  readonly label: string
  readonly about: string
  readonly saving: string
  readonly longRecall: string
  readonly lost: string
  readonly verdict: string
  /** The values that differ from the draft. */
  readonly values: readonly { readonly path: string; readonly label: string; readonly value: string }[]
  /** The Policies page with these values as a draft; null: there are none. */
  readonly draft: string | null
  /** What names it as a remedy; null: it is not offered, see `verdict`. */
  readonly remedy: string | null
  /** The same in runtimes' own settings, as far as these can say it. */
  readonly settings: readonly { readonly runtime: string; readonly lines: readonly string[] }[]
}

type Pick = TuneOutcome['picks'][number]

const ABOUT: { readonly [P in Pick['pick']]: string } = {
  safe: 'Of what is within the limit, the one that loses least.',
  balanced: 'The knee: from there on each saving costs more recall.',
  cheap: 'Of what is within the limit, the one that saves most.',
}

/** Runtimes whose settings can say something of a policy. */
const FORMATS = ['openclaw', 'pi', 'claude-code', 'codex'] as const

/** @param experiment its id; null: it is kept nowhere, so that nothing can be applied from it */
export function tuneView(
  result: ExperimentResult,
  experiment: string | null = null,
  stores: readonly TuneStore[] = [],
): TuneView | null {
  const { tune } = result
  if (tune === null) return null
  const balanced = tune.picks.find(({ pick }) => pick === 'balanced') ?? tune.picks[0]
  return {
    isGain: balanced?.verdict === 'gain',
    verdict: balanced === undefined ? 'No setting was within the limit.' : verdictText(balanced),
    split: splitText(tune),
    stores,
    picks: tune.picks.map((pick) => ({
      ...pickView(result, tune, pick),
      remedy:
        experiment === null || pick.verdict !== 'gain' || pick.overLimit
          ? null
          : tunedId(experiment, pick.pick),
    })),
  }
}

function verdictText({ verdict, gain, ofOracle }: Pick): string {
  const against = `against what is in force: ${intervalText(gain)} of the cost`
  const share = ofOracle === null ? '' : ` It reaches ${formatPercent(ofOracle)} of what the oracle saves.`
  switch (verdict) {
    case 'gain':
      return `The balanced pick saves more, ${against}.${share}`
    case 'loss':
      return `The balanced pick saves less, ${against}.${share}`
    case 'no significant gain':
      return `No significant gain, ${against}.${share}`
    case 'too few sessions':
      return `There are too few sessions to tell a gain, ${against}.${share} At least 20 sessions to be tested on are needed.`
  }
}

function splitText({ split: { train, test, by } }: TuneOutcome): string {
  const how = by === 'owner' ? 'other workspaces, newer ones first' : 'the newer ones, of the same workspaces'
  return `It learnt on ${formatQuantity(train, 'session')} and was tested on ${formatQuantity(test, 'session')} that it never saw: ${how}.`
}

function pickView(
  { policies }: ExperimentResult,
  { base }: TuneOutcome,
  pick: Pick,
): Omit<TunePick, 'remedy'> {
  const sum = policies.find(({ name }) => name === pick.name)?.sum
  const changes = policyChanges(base, pick.policy)
  const values = flatPolicy(pick.policy)
  const changed = Object.fromEntries(changes.map(({ path }) => [path, values.get(path)]))
  return {
    name: pick.name,
    label: `${pick.pick[0]?.toUpperCase()}${pick.pick.slice(1)}`,
    about: `${ABOUT[pick.pick]}${pick.overLimit ? ' It loses more than the limit: nothing that was tried loses less.' : ''}`,
    saving: intervalText(sum?.saving ?? null),
    longRecall: intervalText(sum?.longRecall ?? null),
    lost: intervalText(sum?.lost ?? null),
    verdict: pick.verdict,
    values: changes.map(({ path, label, before, after }) => ({ path, label, value: `${before} → ${after}` })),
    draft: changes.length === 0 ? null : policyLink(changed),
    settings: FORMATS.flatMap((format) => settingsOf(format, changed)),
  }
}

/** The values as a runtime's own settings file has them, and how many it has no key for. */
function settingsOf(
  format: (typeof FORMATS)[number],
  changed: { readonly [path: string]: unknown },
): TunePick['settings'] {
  const file = { ...readPolicy(parseSource('', format)), format }
  const { edits, unsupported } = planEdits(file, changed)
  if (edits.length === 0) return []
  const lines = edits.map(({ path, value }) => `+ ${path.join('.')}: ${JSON.stringify(value)}`)
  const left =
    unsupported.length === 0
      ? []
      : [`(no key there for ${formatQuantity(unsupported.length, 'other value')}: ${unsupported.join(', ')})`]
  return [{ runtime: runtimeTitle(format), lines: [...lines, ...left] }]
}
