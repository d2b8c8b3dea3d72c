import { CATEGORIES, type Category } from '../../core/tokens/category'
import { CHART_SCALES, type ChartScale } from '../charts/frames-chart'
import { parseTrialBase, type TrialBase } from '../policy/policy-trial'
import { addressQuery } from '../text/address-query'
import { CONTEXT_SORTS, type ContextSort } from './context-rows'
import type { CallRange } from './scrub'

/** Everything that is chosen on the Context tab; it is in the URL, so that a link shows the same. */
export type ContextSelection = {
  /** The chosen call; null follows the last one. */
  readonly call: number | null
  /** The calls on the chart; null shows all. */
  readonly range: CallRange | null
  /** What the upper edge of the chart is; null: what shows the most, see `scaleFor`. */
  readonly scale: ChartScale | null
  readonly sort: ContextSort
  readonly descending: boolean
  readonly category: Category | null
  /** The chart as picture or as table. */
  readonly chart: 'chart' | 'table'
  /** Sequence number of the entry whose source is open. */
  readonly entry: number | null
  /** What the open policy panel begins from; null while it is closed. */
  readonly policy: TrialBase | null
}

export const DEFAULT_SELECTION: ContextSelection = {
  call: null,
  range: null,
  scale: null,
  sort: 'order',
  descending: false,
  category: null,
  chart: 'chart',
  entry: null,
  policy: null,
}

/** Search parameters as they come: a value that means nothing is as good as none. */
export type SearchValues = { readonly [name: string]: string | readonly string[] | undefined }

export function parseSelection(values: SearchValues): ContextSelection {
  const from = wholeNumber(values.from)
  const to = wholeNumber(values.to)
  return {
    call: wholeNumber(values.call),
    range: from !== null && to !== null && to > from ? { from, to } : null,
    scale: CHART_SCALES.find((scale) => scale === values.scale) ?? null,
    sort: CONTEXT_SORTS.find((sort) => sort === values.sort) ?? 'order',
    descending: values.dir === 'desc',
    category: CATEGORIES.find((category) => category === values.category) ?? null,
    chart: values.view === 'table' ? 'table' : 'chart',
    entry: entryNumber(values.entry),
    policy: parseTrialBase(values.policy),
  }
}

/** The search part of the URL for a selection; defaults are left out. `''` or `?…`. */
export function selectionQuery(selection: ContextSelection): string {
  const params = new URLSearchParams()
  if (selection.call !== null) params.set('call', String(selection.call))
  if (selection.range !== null) {
    params.set('from', String(selection.range.from))
    params.set('to', String(selection.range.to))
  }
  if (selection.scale !== null) params.set('scale', selection.scale)
  if (selection.sort !== 'order') params.set('sort', selection.sort)
  if (selection.descending) params.set('dir', 'desc')
  if (selection.category !== null) params.set('category', selection.category)
  if (selection.chart !== 'chart') params.set('view', selection.chart)
  if (selection.entry !== null) params.set('entry', String(selection.entry))
  if (selection.policy !== null) params.set('policy', selection.policy)
  return addressQuery(params)
}

/** The sequence number of an entry, from 0 on, or null. */
export function entryNumber(value: string | readonly string[] | null | undefined): number | null {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : null
}

/** A whole number from 1 on, or null. */
export function wholeNumber(value: string | readonly string[] | null | undefined): number | null {
  if (typeof value !== 'string' || !/^\d{1,9}$/.test(value)) return null
  const number = Number(value)
  return number >= 1 ? number : null
}
