import { formatShort } from './format'

export type Tick = { readonly value: number; readonly label: string }

/** Round steps (1, 2, 2.5 or 5 times a power of ten) from 0 to `top`, about `wanted` of them. Tokens. */
export function tokenTicks(top: number, wanted: number): Tick[] {
  if (top <= 0) return [{ value: 0, label: '0' }]
  const step = niceStep(top / Math.max(1, wanted))
  const ticks: Tick[] = []
  for (let value = 0; value <= top * 1.0001; value += step) ticks.push({ value, label: formatShort(value) })
  return ticks
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 2.5, 5, 10].find((f) => f * power >= rough * 0.999) ?? 10
  return Math.max(1, factor * power)
}

/** Round call numbers between `from` and `to`, about `wanted` of them; the first and last call stand for themselves. */
export function callTicks(from: number, to: number, wanted: number): number[] {
  if (to <= from) return [from]
  const step = Math.max(1, Math.round(niceStep((to - from) / Math.max(1, wanted))))
  const ticks: number[] = []
  for (let n = Math.ceil(from / step) * step; n <= to; n += step) if (n >= from && n > 0) ticks.push(n)
  return ticks
}

/** A label that wants to stand at `y` (pixels from the top). */
export type Placed<T> = T & { readonly at: number }

/**
 * Moves labels apart until none is closer than `gap` pixels to the next, within 0 … `height`, in the order of their
 * wishes. The lines they belong to stay where they are; only the words move.
 */
export function placeLabels<T extends { readonly y: number }>(
  labels: readonly T[],
  gap: number,
  height: number,
): Placed<T>[] {
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
