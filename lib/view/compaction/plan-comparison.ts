import type { ComparedPlan } from '../../core/compaction/compared-plan'
import { type TrialName, trialWords } from '../policy/policy-trial'
import { formatCount, formatPercent } from '../text/format'
import { nothingReason, nothingSentence } from './compact-plan'

type PlanToCompare = ComparedPlan<TrialName>

export type ComparisonRow = PlanToCompare & {
  /** `preset vs7`. */
  readonly words: string
  /** When it would have compacted without being asked. */
  readonly fires: string
  /** Why it does nothing, or that another one does the same; '' when neither. */
  readonly note: string
}

export type ComparisonView = {
  /** None where no policy would change anything. */
  readonly rows: readonly ComparisonRow[]
  readonly sentence: string
}

/** Policies side by side for one session, with what they come to in a sentence. */
export function comparisonView(plans: readonly PlanToCompare[]): ComparisonView {
  // Where all are the same, one sentence says it for all of them.
  const isOnePlan = plans.filter(({ sameAs }) => sameAs === null).length === 1
  const rows = plans.map((plan) => ({
    ...plan,
    words: trialWords(plan.name),
    fires: firesWords(plan),
    note: isOnePlan && plan.nothing === null ? '' : noteOf(plan),
  }))
  const idle = plans.every(({ nothing }) => nothing !== null)
  return { rows: idle ? [] : rows, sentence: sentenceOf(plans) }
}

function firesWords({ line, crossed: { times, first } }: PlanToCompare): string {
  if (line === null) return 'never by itself'
  if (line <= 0) return 'at every call: its reserve takes the whole window'
  if (times === 0) return 'not reached'
  return times === 1
    ? `once, at call ${formatCount(first ?? 0)}`
    : `${formatCount(times)} times, first at call ${formatCount(first ?? 0)}`
}

function noteOf({ nothing, sameAs }: PlanToCompare): string {
  if (nothing !== null) return nothingSentence({ why: nothing })
  return sameAs === null
    ? ''
    : `Same plan as ${trialWords(sameAs)}: the values that differ do not act on this session.`
}

/** How far the plans are apart. Those that do nothing leave the context as large as it is. */
function sentenceOf(plans: readonly PlanToCompare[]): string {
  const [why, ...others] = new Set(plans.map(({ nothing }) => nothing))
  if (why != null && others.length === 0) return `None of them would change anything: ${nothingReason(why)}.`
  const distinct = plans.filter(({ sameAs }) => sameAs === null)
  const sized = distinct.flatMap(({ name, tokensBefore, tokensAfter }) =>
    tokensAfter.value === null || tokensBefore.value === null || tokensBefore.value === 0
      ? []
      : [{ name, after: tokensAfter.value, share: 1 - tokensAfter.value / tokensBefore.value }],
  )
  const [first] = sized
  if (first === undefined) return 'The size of the context is unknown, so the plans cannot be compared by it.'
  if (distinct.length === 1) {
    const when = new Set(plans.map(({ line }) => line)).size > 1
    return `All of them come to the same plan here: the values that differ do not act on this session${when ? ', except for when they compact' : ''}.`
  }
  const least = sized.reduce((a, b) => (b.after < a.after ? b : a))
  const most = sized.reduce((a, b) => (b.after > a.after ? b : a))
  if (least.after === most.after) return `${formatCount(distinct.length)} different plans, all of one size.`
  return `${formatCount(distinct.length)} different plans: ${trialWords(least.name)} leaves least (${freed(least.share)}), ${trialWords(most.name)} most (${freed(most.share)}).`
}

function freed(share: number): string {
  return share > 0 ? `−${formatPercent(share)}` : 'nothing freed'
}
