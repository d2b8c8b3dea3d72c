// Plain data: pages know names, ranges and defaults of all knobs without carrying the checker.

/** What a number is counted in. A share is from 0 to 1, a factor multiplies, a count is of what the label names. */
export type NumberUnit =
  | 'share'
  | 'tokens'
  | 'chars'
  | 'ms'
  | 'seconds'
  | 'hours'
  | 'days'
  | 'turns'
  | 'count'
  | 'factor'

/** What a value is counted in, or what it is where it is no number. The unit of a list is that of its items. */
export type KnobUnit = NumberUnit | 'text' | 'switch' | 'choice'

/** A number. `above`: the lower end itself is not allowed. `to`: null is no upper end. */
export type NumberShape = {
  readonly kind: 'number'
  readonly unit: NumberUnit
  readonly whole: boolean
  readonly from: number
  readonly above: boolean
  readonly to: number | null
}

/** A number, or null for no limit. */
export type LimitShape = { readonly kind: 'limit'; readonly unit: NumberUnit; readonly of: NumberShape }

export type SwitchShape = { readonly kind: 'switch'; readonly unit: 'switch' }

/** One of a few words, each with what it does. */
export type ChoiceShape<O extends string = string> = {
  readonly kind: 'choice'
  readonly unit: 'choice'
  readonly options: { readonly [option in O]: string }
}

/** A text of so many characters. `most`: null is no upper end. */
export type TextShape = {
  readonly kind: 'text'
  readonly unit: 'text'
  readonly least: number
  readonly most: number | null
}

export type ItemShape = NumberShape | ChoiceShape | TextShape

/** A list of so many items at least. */
export type ListShape<I extends ItemShape = ItemShape> = {
  readonly kind: 'list'
  readonly unit: I['unit']
  readonly of: I
  readonly least: number
}

/** What a value of the policy may be. */
export type KnobShape = LimitShape | SwitchShape | ListShape | ItemShape

/** The values of a shape. */
export type ValueOf<S> =
  S extends ListShape<infer I>
    ? ValueOf<I>[]
    : S extends ChoiceShape<infer O>
      ? O
      : S extends LimitShape
        ? number | null
        : S extends NumberShape
          ? number
          : S extends SwitchShape
            ? boolean
            : string

/** What a value does besides being a number, a switch or a name: a service is called, or a folder is used. */
export type KnobActs = 'model' | 'address' | 'folder'

/** One value of the policy: all that is known of it. */
export type Knob<S extends KnobShape = KnobShape> = {
  readonly node: 'knob'
  /** What it is called; in a table each `*` matches a name that the operator chose. */
  readonly label: string
  /** What it decides, in one sentence or two. */
  readonly about: string
  readonly shape: S
  /** The default. Null in a table, where a value exists only once it is said. */
  readonly initial: ValueOf<S> | null
  /** Null: it does not act. */
  readonly acts: KnobActs | null
}

type Members = { readonly [key: string]: KnobNode }

/** Values that belong together. */
export type KnobGroup<M = Members> = { readonly node: 'group'; readonly members: M }

/** Values under names that the operator chooses; empty by default. */
export type KnobTable<R = unknown> = { readonly node: 'table'; readonly row: R }

export type KnobNode = Knob | KnobGroup | KnobTable<KnobNodeRow>
type KnobNodeRow = Knob | KnobGroup

/** The value of a part of the table: a plain object with a key for each knob, table and group. */
export type KnobValue<N> =
  N extends Knob<infer S>
    ? ValueOf<S>
    : N extends KnobTable<infer R>
      ? { [name: string]: KnobValue<R> }
      : N extends KnobGroup<infer M>
        ? { -readonly [K in keyof M]: KnobValue<M[K]> }
        : never

/** A section of the policy: the first key of its paths. */
export type KnobSection<M = Members> = KnobGroup<M> & { readonly title: string; readonly about: string }

/** A knob of the policy, with its default. */
export function knob<S extends KnobShape>(
  label: string,
  about: string,
  shape: S,
  initial: ValueOf<S> | null,
  acts: KnobActs | null = null,
): Knob<S> {
  return { node: 'knob', label, about, shape, initial, acts }
}

export function group<const M extends Members>(members: M): KnobGroup<M> {
  return { node: 'group', members }
}

export function section<const M extends Members>(title: string, about: string, members: M): KnobSection<M> {
  return { node: 'group', title, about, members }
}

export function table<const R extends KnobNodeRow>(row: R): KnobTable<R> {
  return { node: 'table', row }
}

const MOST = 1_000_000_000

/** A count of tokens. No window is larger. */
export const tokens = (from = 0): NumberShape => count('tokens', from)

export function count(unit: NumberUnit = 'count', from = 0): NumberShape {
  return { kind: 'number', unit, whole: true, from, above: false, to: MOST }
}

/** A whole number without an upper end. */
export function wholeNumberKnob(unit: NumberUnit): NumberShape {
  return { kind: 'number', unit, whole: true, from: 0, above: false, to: null }
}

/** Any number from `from` to `to`; `to` left out: without an upper end. */
export function number(unit: NumberUnit, from = 0, to: number | null = null): NumberShape {
  return { kind: 'number', unit, whole: false, from, above: false, to }
}

/** Any number above 0. */
export function positive(unit: NumberUnit): NumberShape {
  return { kind: 'number', unit, whole: false, from: 0, above: true, to: null }
}

/** A share of something: a number from 0 to 1. */
export const SHARE: NumberShape = number('share', 0, 1)

/** A hundred years: a date that far ahead can still be written. */
const MOST_DAYS = 36_500
export const DAYS: NumberShape = number('days', 0, MOST_DAYS)
export const MS: NumberShape = number('ms', 0, MOST_DAYS * 86_400_000)

/** The longest time that a timer waits; a longer one would run out at once. */
export const wait = (from = 0): NumberShape => number('ms', from, 2_147_483_647)

export const ON_OFF: SwitchShape = { kind: 'switch', unit: 'switch' }

/** The options with what each does, in the order in which they are offered. */
export function choice<const O extends string>(options: { readonly [option in O]: string }): ChoiceShape<O> {
  return { kind: 'choice', unit: 'choice', options }
}

export function text(least = 0, most: number | null = null): TextShape {
  return { kind: 'text', unit: 'text', least, most }
}

export function list<I extends ItemShape>(of: I, least = 0): ListShape<I> {
  return { kind: 'list', unit: of.unit, of, least }
}

/** The number, or null for no limit. */
export function orNoLimit(of: NumberShape): LimitShape {
  return { kind: 'limit', unit: of.unit, of }
}
