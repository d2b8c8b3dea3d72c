import { knobPaths } from '../../core/policy/knobs/knob-at'
import { POLICY_KNOBS } from '../../core/policy/knobs/policy-knobs'
import type { Policy } from '../../core/policy/policy'

/** A section of the form. Rows of tables are not among its paths: they exist once they are named. */
export type FormSection = {
  readonly id: keyof Policy
  readonly title: string
  readonly about: string
  readonly paths: readonly string[]
}

/** The order of the sections on the page: what is changed most comes first. */
const FORM_ORDER: readonly (keyof Policy)[] = [
  'lines',
  'budget',
  'reserve',
  'window',
  'history',
  'compaction',
  'summary',
  'relevance',
  'pruning',
  'coldStorage',
  'semantic',
  'bootstrap',
  'promptCache',
  'flush',
  'counting',
  'ledger',
  'logs',
]

/** Sections in the order of the form, each with its values. */
export const FORM_SECTIONS: readonly FormSection[] = FORM_ORDER.map((id) => ({
  id,
  title: POLICY_KNOBS.members[id].title,
  about: POLICY_KNOBS.members[id].about,
  paths: knobPaths(id).filter((path) => !path.includes('*')),
}))
