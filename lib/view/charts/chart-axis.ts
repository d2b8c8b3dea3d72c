import { ticks } from 'd3-array'
import { formatShort } from '../text/format'

export type Tick = { readonly value: number; readonly label: string }

/** Round values (steps of 1, 2 or 5 times a power of ten) from 0 to `top`, about `wanted` of them. Whole tokens. */
export function tokenTicks(top: number, wanted: number): Tick[] {
  return wholeTicks(0, top, wanted).map((value) => ({ value, label: formatShort(value) }))
}

/** Round call numbers between `from` and `to`, about `wanted` of them; a lone call is its own tick. */
export function callTicks(from: number, to: number, wanted: number): number[] {
  return wholeTicks(from, Math.max(from, to), wanted).filter((call) => call > 0)
}

/** Half a token or half a call does not exist. */
function wholeTicks(from: number, to: number, wanted: number): number[] {
  return ticks(from, to, Math.max(1, wanted)).filter(Number.isInteger)
}

/** A label that should be at `y` (pixels from the top). */
export type PlacedLabel<T> = T & { readonly at: number }

/**
 * Moves labels apart until none is closer than `gap` pixels to the next, within 0 … `height`, in the order of their
 * wishes. The lines they belong to stay where they are; only the words move.
 */
export function placeLabels<T extends { readonly y: number }>(
  labels: readonly T[],
  gap: number,
  height: number,
): PlacedLabel<T>[] {
  const sorted = [...labels].sort((a, b) => a.y - b.y)
  const at = sorted.map((label) => Math.min(Math.max(label.y, gap / 2), height - gap / 2))
  for (let i = 1; i < at.length; i++) at[i] = Math.max(at[i] ?? 0, (at[i - 1] ?? 0) + gap)
  const floor = height - gap / 2
  for (let i = at.length - 1; i >= 0; i--) {
    const limit = i === at.length - 1 ? floor : (at[i + 1] ?? floor) - gap
    at[i] = Math.min(at[i] ?? 0, limit)
  }
  return sorted.map((label, i) => ({ ...label, at: at[i] ?? label.y }))
}

/**
 * Leaves out labels that would run into the one before them on a horizontal axis; later ones give way.
 * @param items positions and widths in pixels, ascending by x; a label is centred on its x
 */
export function spacedOut<T extends { readonly x: number; readonly width: number }>(
  items: readonly T[],
  gap = 4,
): T[] {
  const kept: T[] = []
  let edge = Number.NEGATIVE_INFINITY
  for (const item of items) {
    const left = item.x - item.width / 2
    if (left < edge + gap) continue
    kept.push(item)
    edge = left + item.width
  }
  return kept
}
