import { loadLines } from '../../core/budget/load-lines'
import { knobWords } from '../../core/policy/knobs/knob-words'
import type { Policy } from '../../core/policy/policy'
import { PRESET_NAMES, PRESETS, type PresetName } from '../../core/policy/presets'
import { resolvePolicy } from '../../core/policy/resolve'
import { formatShort } from '../text/format'
import { type RegionRow, regionRows } from './policy-ratio'
import { flatPolicy, readableValue, sameValue } from './policy-values'

const ABOUT: { readonly [N in PresetName]: string } = {
  default: 'Every line of the ladder, no regions',
  openclaw: 'OpenClaw until 2026.7: one threshold at window − reserve',
  'openclaw-2026.9': 'OpenClaw with SQLite stores: smaller reserve on small windows, tighter caps',
  vs7: 'Five regions, rolling summary, recall',
  memfas: 'Compaction at half the window by relevance, cold storage',
  goclaw: 'Flush and checkpoints by share, history cut to half',
  proactive: 'Acts before the overflow: sliding summaries, pruning',
}

/** One policy among those that are compared. */
export type PolicyColumn = {
  readonly id: string
  readonly title: string
  readonly about: string
  /** The preset it is; null for the operator's own. */
  readonly preset: PresetName | null
  readonly policy: Policy
  readonly regions: readonly RegionRow[]
  /** The lines that act in the window, lowest first; those at one height are one. */
  readonly lines: readonly { readonly label: string; readonly pct: number }[]
}

/** The operator's own policy and every preset, for a window. */
export function policyColumns(
  own: { readonly title: string; readonly policy: Policy },
  window: number,
): PolicyColumn[] {
  const presets = PRESET_NAMES.map((name) => ({
    id: name as string,
    title: name as string,
    about: ABOUT[name],
    preset: name,
    policy: resolvePolicy([{ level: 'preset', label: name, patch: PRESETS[name] }]).policy,
  }))
  const mine = {
    id: 'own',
    title: own.title,
    about: 'With the values of this screen',
    preset: null,
    policy: own.policy,
  }
  return [mine, ...presets].map((column) => ({
    ...column,
    regions: regionRows(column.policy.budget, window),
    lines: lineMarks(column.policy, window),
  }))
}

/** Lines that act in a window, those at one height together: `compact · flush .50 100k`. */
export function lineMarks(
  policy: Policy,
  window: number,
): { readonly label: string; readonly pct: number }[] {
  const marks = new Map<number, { names: string[]; pct: number }>()
  for (const line of loadLines(policy, window)) {
    if (line.unreachable) continue
    const mark = marks.get(line.tokens) ?? { names: [], pct: line.pct }
    mark.names.push(line.name)
    marks.set(line.tokens, mark)
  }
  return [...marks].map(([tokens, { names, pct }]) => ({
    label: `${names.join(' · ')} ${formatShort(tokens)}`,
    pct,
  }))
}

/** A value in which the compared policies differ. */
export type ComparedRow = {
  readonly path: string
  readonly group: string
  readonly label: string
  /** One for each column. */
  readonly cells: readonly { readonly text: string; readonly differs: boolean }[]
}

/**
 * Every value that is not the same in all columns. A cell differs when it is not what the base column says.
 * @param base index of the column that the others are compared with
 */
export function comparePolicies(columns: readonly PolicyColumn[], base: number): ComparedRow[] {
  const flat = columns.map((column) => flatPolicy(column.policy))
  const paths = new Set(flat.flatMap((values) => [...values.keys()]))
  return [...paths].flatMap((path) => {
    const values = flat.map((column) => column.get(path))
    if (values.every((value) => sameValue(value, values[0]))) return []
    const { label, unit } = knobWords(path)
    const cells = values.map((value) => ({
      text: value === undefined ? '–' : readableValue(value, unit),
      differs: !sameValue(value, values[base]),
    }))
    return [{ path, group: path.split('.')[0] ?? '', label, cells }]
  })
}
