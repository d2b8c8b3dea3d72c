import type { CompactionRecord } from '../../core/transcript/compaction-record'
import type { Tokens } from '../../core/units/units'
import { formatShort } from '../text/format'
import { type CallColumns, columnRow, type WindowSpan } from './call-columns'

/** A pin on the chart: it is between the call `afterCall` and the next one. */
export type Pin = {
  readonly kind: CompactionRecord['kind']
  readonly afterCall: number
  readonly seq: number
  readonly at: number | null
  readonly before: number | null
  readonly after: number | null
  /** `186k→42k`; `reset`. */
  readonly label: string
  /** The whole in words. */
  readonly title: string
}

/** A call that another model answered than the one before it. */
type ModelChange = { readonly call: number; readonly model: string }

export type SessionMarks = {
  readonly pins: readonly Pin[]
  readonly models: readonly ModelChange[]
  readonly windows: readonly WindowSpan[]
}

/** Everything that is on the chart beside the frames. */
export function sessionMarks(calls: CallColumns, compactions: readonly CompactionRecord[]): SessionMarks {
  return {
    pins: compactions.map((compaction) => pinOf(calls, compaction)),
    models: modelChanges(calls),
    windows: calls.windows,
  }
}

/** Sizes that were not recorded are those of the calls around it, where these are known. */
function pinOf(calls: CallColumns, compaction: CompactionRecord): Pin {
  const { kind, afterCall, seq, at, fromHook } = compaction
  const before = compaction.tokensBefore ?? totalOf(calls, afterCall)
  const after = compaction.tokensAfter ?? totalOf(calls, afterCall + 1)
  const sizes = `${sizeOf(before)}→${sizeOf(after)}`
  const label = kind === 'reset' ? 'reset' : sizes
  const by = kind === 'provider' ? ', by the provider' : fromHook ? ', by an extension' : ''
  const place = afterCall === 0 ? 'before call 1' : `after call ${afterCall}`
  const title = kind === 'reset' ? `Reset ${place}` : `Compaction ${place}${by}: ${sizes} tokens`
  return { kind, afterCall, seq, at, before, after, label, title }
}

function totalOf(calls: CallColumns, n: number): number | null {
  const row = columnRow(calls, n)
  return row === null ? null : (calls.total[row] ?? null)
}

function sizeOf(tokens: Tokens | null): string {
  return tokens === null ? '?' : formatShort(tokens)
}

function modelChanges(calls: CallColumns): ModelChange[] {
  const changes: ModelChange[] = []
  let before = -1
  calls.model.forEach((model, row) => {
    if (model < 0 || model === before) return
    if (before >= 0) changes.push({ call: calls.from + row, model: calls.models[model] ?? '' })
    before = model
  })
  return changes
}

/** Pins that would fall on the same few pixels, drawn as one. */
export type PinCluster = {
  readonly x: number
  readonly pins: readonly Pin[]
  readonly label: string
  readonly title: string
}

/**
 * The pins of a range of calls, each at its place in pixels; those closer than `gap` to the one before join it.
 * @param width of the plot in pixels, over the calls `from` to `to`
 */
export function clusterPins(
  pins: readonly Pin[],
  range: { readonly from: number; readonly to: number },
  width: number,
  gap: number,
): PinCluster[] {
  const count = range.to - range.from + 1
  const groups: { x: number; pins: Pin[] }[] = []
  for (const pin of pins) {
    const x = ((pin.afterCall + 1 - range.from) / count) * width
    if (x < 0 || x > width) continue
    const last = groups.at(-1)
    if (last && x - last.x < gap) last.pins.push(pin)
    else groups.push({ x, pins: [pin] })
  }
  return groups.map(({ x, pins: joined }) => ({
    x,
    pins: joined,
    label: joined.length === 1 ? (joined[0]?.label ?? '') : `${joined.length}×`,
    title: joined.map((pin) => pin.title).join('\n'),
  }))
}
