import { DEFAULT_POLICY } from '../core/policy/default-policy'
import { type Origin, type ResolvedPolicy, valueAt } from '../core/policy/resolve'
import { describe } from '../core/policy/schema-at'
import { canHold, rawText } from './policy-edit'
import { type KnobUnit, knobWords } from './policy-knobs'
import { type PolicyDocumentView, type PolicyProblem, type PolicyReading, problemAt } from './policy-reading'
import { readableValue, sameValue, valueText } from './policy-values'

/** How a value is entered. `shares` is a list of numbers, `list` one of words. */
export type FieldKind = 'flag' | 'choice' | 'number' | 'text' | 'list' | 'shares'

/** One value of the form, with everything that is said about it. */
export type PolicyField = {
  readonly path: string
  readonly label: string
  readonly about: string
  readonly unit: KnobUnit
  readonly kind: FieldKind
  readonly options: readonly string[]
  /** Empty stands for "no limit". */
  readonly nullable: boolean
  readonly value: unknown
  /** What the input shows: the value, or what stands in the file when that is not allowed. */
  readonly text: string
  /** The value with its unit, when that says more than the bare number; else ''. */
  readonly reading: string
  readonly initial: string
  /** What may stand here, in words. */
  readonly allowed: string
  readonly origin: Origin
  /** Line of this file that sets it; null when it comes from elsewhere. */
  readonly line: number | null
  /** The file has a place for it. */
  readonly settable: boolean
  /** The value before the unsaved changes, when there are any here. */
  readonly before: string | null
  readonly problem: PolicyProblem | null
}

/** Values that are one of a few words. */
const CHOICES: { readonly [path: string]: readonly string[] } = {
  'compaction.mode': ['default', 'safeguard', 'off'],
  'compaction.identifierPolicy': ['strict', 'off'],
  'relevance.recency': ['decay', 'literal'],
}

const NO_ORIGIN: Origin = { level: 'default', label: 'default' }

export function policyField(input: {
  readonly path: string
  readonly document: PolicyDocumentView
  readonly reading: PolicyReading
  readonly resolved: ResolvedPolicy
  readonly problems: readonly PolicyProblem[]
  /** The policy as it is saved. */
  readonly saved: ResolvedPolicy
}): PolicyField {
  const { path, document, reading, resolved, problems, saved } = input
  const { label, about, unit } = knobWords(path)
  const value = valueAt(resolved.policy, path)
  const old = valueAt(saved.policy, path)
  const place = reading.file.places[path]
  const problem = problemAt(problems, path)
  const kind = kindOf(path, value)
  const raw = problem?.severity === 'error' && place === undefined ? rawText(document, reading, path) : null
  const initial = valueAt(DEFAULT_POLICY, path)
  const text = raw ?? fieldText(value)
  const reads = readableValue(value, unit)
  return {
    path,
    label,
    about,
    unit,
    kind,
    options: CHOICES[path] ?? [],
    nullable: /, or null$/.test(describe(path)),
    value,
    text,
    reading: raw !== null || reads === text || value === null ? '' : reads,
    initial: valueText(initial),
    allowed: describe(path),
    origin: resolved.origin[path] ?? originAbove(resolved, path),
    line: place?.file === document.path ? place.line : (problem?.lines[0] ?? null),
    settable: canHold(document, reading, path),
    before: sameValue(value, old) ? null : valueText(old),
    problem,
  }
}

/** Members of tables are set as a whole by the layers that do not name them apart. */
function originAbove(resolved: ResolvedPolicy, path: string): Origin {
  const table = Object.keys(resolved.origin).find((known) => path.startsWith(`${known}.`))
  return table === undefined ? NO_ORIGIN : (resolved.origin[table] ?? NO_ORIGIN)
}

function kindOf(path: string, value: unknown): FieldKind {
  if (path in CHOICES) return 'choice'
  const initial = valueAt(DEFAULT_POLICY, path) ?? value
  if (typeof initial === 'boolean') return 'flag'
  if (Array.isArray(initial)) return initial.some((item) => typeof item === 'number') ? 'shares' : 'list'
  return typeof initial === 'string' ? 'text' : 'number'
}

export function fieldText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return Array.isArray(value) ? value.map(String).join(', ') : String(value)
}

const MULTIPLES: { readonly [suffix: string]: number } = { '%': 0.01, k: 1000, m: 1_000_000 }

/**
 * What an input means. Numbers may be written with spaces, as `20k` or `50%`; what is no number stays the text that it
 * is, so that it can be marked. `undefined` takes the value out of the file.
 */
export function parseField(field: Pick<PolicyField, 'kind' | 'nullable'>, text: string): unknown {
  const trimmed = text.trim()
  switch (field.kind) {
    case 'flag':
      return trimmed === 'true'
    case 'choice':
    case 'text':
      return trimmed
    case 'list':
      return trimmed.split(/\s*,\s*|\n/).filter((item) => item !== '')
    case 'shares':
      return trimmed
        .split(/[\s,]+/)
        .filter((item) => item !== '')
        .map(numberOrText)
    case 'number':
      if (trimmed === '') return field.nullable ? null : undefined
      return numberOrText(trimmed)
  }
}

function numberOrText(text: string): number | string {
  const match = /^(-?\d[\d_\u202f ]*(?:\.\d+)?|-?\.\d+)\s*([%km]?)$/i.exec(text)
  if (match === null) return text
  const number = Number((match[1] ?? '').replace(/[_\u202f ]/g, ''))
  const factor = MULTIPLES[(match[2] ?? '').toLowerCase()] ?? 1
  return Math.round(number * factor * 1e9) / 1e9
}
