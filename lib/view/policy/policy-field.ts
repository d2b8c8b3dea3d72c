import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import type { KnobShape, KnobUnit } from '../../core/policy/knobs/knob'
import { knobAt } from '../../core/policy/knobs/knob-at'
import { allowedAt, knobWords } from '../../core/policy/knobs/knob-words'
import { splitPath } from '../../core/policy/path'
import { type PolicyOrigin, type ResolvedPolicy, valueAt } from '../../core/policy/resolve'
import { isLockedForPages } from '../../core/policy/web-lock'
import { canHold, rawText } from './policy-edit'
import { type PolicyDocumentView, type PolicyProblem, type PolicyReading, problemAt } from './policy-reading'
import { readableValue, sameValue, valueText } from './policy-values'

/** How a value is entered. `shares` is a list of numbers, `list` one of words. */
type FieldKind = 'flag' | 'choice' | 'number' | 'text' | 'list' | 'shares'

export type FieldOption = { readonly value: string; readonly about: string }

/** One value of the form, with everything that is said about it. */
export type PolicyField = {
  readonly path: string
  readonly label: string
  readonly about: string
  readonly unit: KnobUnit
  readonly kind: FieldKind
  /** Of a choice: what may be chosen, and what each does. */
  readonly options: readonly FieldOption[]
  /** Empty means "no limit". */
  readonly nullable: boolean
  readonly value: unknown
  /** What the input shows: the value, or what is in the file when that is not allowed. */
  readonly text: string
  /** The value with its unit, or what the chosen option does, when that says more than the bare value; else ''. */
  readonly reading: string
  readonly initial: string
  /** What may be here, in words. */
  readonly allowed: string
  readonly origin: PolicyOrigin
  /** Line of this file that sets it; null when it comes from elsewhere. */
  readonly line: number | null
  /** The file has a place for it. */
  readonly settable: boolean
  /** Only the file itself may change it; what to write there. null: the form may. */
  readonly inFileOnly: string | null
  /** The value before the unsaved changes, when there are any here. */
  readonly before: string | null
  readonly problem: PolicyProblem | null
}

const NO_ORIGIN: PolicyOrigin = { level: 'default', label: 'default' }

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
  const shape = knobAt(path)?.shape ?? null
  const raw = problem?.severity === 'error' && place === undefined ? rawText(document, reading, path) : null
  const initial = valueAt(DEFAULT_POLICY, path)
  const text = raw ?? fieldText(value)
  const options = shape === null ? [] : optionsOf(shape)
  const chosen = options.find((option) => option.value === value)
  const reads = chosen?.about ?? readableValue(value, unit)
  return {
    path,
    label,
    about,
    unit,
    kind: shape === null ? 'text' : fieldKind(shape),
    options,
    nullable: shape?.kind === 'limit',
    value,
    text,
    reading: raw !== null || reads === text || value === null ? '' : reads,
    initial: valueText(initial),
    allowed: allowedAt(path),
    origin: resolved.origin[path] ?? originAbove(resolved, path),
    line: place?.file === document.path ? place.line : (problem?.lines[0] ?? null),
    settable: canHold(document, reading, path),
    inFileOnly: isLockedForPages(path) ? lineFor(path, value) : null,
    before: sameValue(value, old) ? null : valueText(old),
    problem,
  }
}

/** What our own settings file holds for a value, on one line. */
function lineFor(path: string, value: unknown): string {
  return splitPath(path).reduceRight(
    (inner, key) => (key === '' ? inner : `{ ${key}: ${inner} }`),
    JSON.stringify(value),
  )
}

/** Members of tables are set as a whole by the layers that do not name them apart. */
function originAbove(resolved: ResolvedPolicy, path: string): PolicyOrigin {
  const table = Object.keys(resolved.origin).find((known) => path.startsWith(`${known}.`))
  return table === undefined ? NO_ORIGIN : (resolved.origin[table] ?? NO_ORIGIN)
}

/** How a value of a shape is entered. */
export function fieldKind(shape: KnobShape): FieldKind {
  switch (shape.kind) {
    case 'switch':
      return 'flag'
    case 'list':
      return shape.of.kind === 'number' ? 'shares' : 'list'
    case 'limit':
      return 'number'
    default:
      return shape.kind
  }
}

/** What may be chosen of a shape; of one that is no choice, nothing. */
export function optionsOf(shape: KnobShape): FieldOption[] {
  if (shape.kind !== 'choice') return []
  return Object.entries(shape.options).map(([value, about]) => ({ value, about }))
}

function fieldText(value: unknown): string {
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
