import { faultOf } from '../core/policy/schema-at'
import type { PolicyChanges } from './policy-edit'
import { knobWords } from './policy-knobs'
import { parseTrialBase, type TrialBase } from './policy-trial'
import type { SearchValues } from './session-selection'
import { wholeNumber } from './session-selection'

/** A value of the policy that a plan depends on, and how it is moved. */
export type PlanKnob = {
  readonly path: string
  readonly kind: 'number' | 'share' | 'flag' | 'choice'
  /** Ends and step of the slider; `window`: the session's own. */
  readonly range?: { readonly from: number; readonly to: number | 'window'; readonly step: number }
  readonly options?: readonly string[]
}

/** What matters for a plan, the strongest first. */
export const PLAN_KNOBS: readonly PlanKnob[] = [
  {
    path: 'compaction.keepRecentTokens',
    kind: 'number',
    range: { from: 0, to: 'window', step: 500 },
  },
  { path: 'compaction.mode', kind: 'choice', options: ['default', 'safeguard', 'off'] },
  { path: 'summary.rolling.enabled', kind: 'flag' },
  { path: 'summary.rolling.windowTurns', kind: 'number', range: { from: 0, to: 40, step: 1 } },
  { path: 'compaction.parts', kind: 'number', range: { from: 1, to: 8, step: 1 } },
  { path: 'compaction.oversizedShare', kind: 'share', range: { from: 0.05, to: 1, step: 0.05 } },
  { path: 'history.maxShare', kind: 'share', range: { from: 0.05, to: 1, step: 0.05 } },
]

/** How a compaction is tried: nothing of it is saved. */
export type PlanKnobs = {
  readonly base: TrialBase
  /** Values of `PLAN_KNOBS` that are not as the base has them. */
  readonly changes: PolicyChanges
  /** The policy's model is left out; the digest is the summary. */
  readonly digest: boolean
  /** The call at which the plan stands; null: the next one. */
  readonly call: number | null
  /** What the summary pays most attention to. */
  readonly focus: string
}

export const DEFAULT_KNOBS: PlanKnobs = {
  base: 'effective',
  changes: {},
  digest: false,
  call: null,
  focus: '',
}

export const LONGEST_FOCUS = 500

/** Reads knobs from an address; what cannot stand there is as good as nothing. */
export function readPlanKnobs(values: SearchValues): PlanKnobs {
  const changes: { [path: string]: unknown } = {}
  for (const { path } of PLAN_KNOBS) {
    const text = values[path]
    if (typeof text !== 'string') continue
    const value = knobValue(text)
    if (faultOf(path, value) === null) changes[path] = value
  }
  const { focus } = values
  return {
    base: parseTrialBase(values.base) ?? 'effective',
    changes,
    digest: values.summary === 'digest',
    call: wholeNumber(values.call),
    focus: typeof focus === 'string' ? focus.slice(0, LONGEST_FOCUS) : '',
  }
}

/** The part of an address that names knobs: '' or `?…`; defaults are left out. */
export function planKnobsSearch({ base, changes, digest, call, focus }: PlanKnobs): string {
  const search = new URLSearchParams()
  if (base !== 'effective') search.set('base', base)
  for (const { path } of PLAN_KNOBS) if (path in changes) search.set(path, String(changes[path]))
  if (digest) search.set('summary', 'digest')
  if (call !== null) search.set('call', String(call))
  if (focus !== '') search.set('focus', focus)
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

/**
 * Knobs without what no plan depends on: two that agree in this have the same plan. Of a focus it matters whether there
 * is one, since a checkpoint serves only where there is none.
 */
export function planKey(knobs: PlanKnobs): string {
  return planKnobsSearch({ ...knobs, focus: knobs.focus === '' ? '' : '*' })
}

/** The value that a text stands for. */
export function knobValue(text: string): unknown {
  const trimmed = text.trim()
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true'
  return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : trimmed
}

/** Name and meaning of a knob. */
export function planKnobWords({ path }: PlanKnob): { readonly label: string; readonly about: string } {
  const { label, about } = knobWords(path)
  return { label: SHORT_LABELS[path] ?? label, about }
}

/** Labels of groups of the form that stand alone here. */
const SHORT_LABELS: { readonly [path: string]: string } = {
  'compaction.keepRecentTokens': 'Keep recent',
  'compaction.mode': 'Mode',
  'summary.rolling.enabled': 'Rolling summary',
  'summary.rolling.windowTurns': 'Verbatim turns',
  'compaction.parts': 'Parts',
  'compaction.oversizedShare': 'Oversized above',
  'history.maxShare': 'History share',
  'pruning.keepRecentMs': 'Recent kept, ms',
  'pruning.toolResultsAfterMs': 'Results stay for, ms',
  'pruning.cacheTtl.ttlMs': 'Cache lives, ms',
}
