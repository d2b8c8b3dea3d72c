import type { Figure } from '../../core/tokens/figure'
import { figureText } from '../../view/text/figure-text'

export type FigureJson = { value: number | null; basis: Figure['basis']; errorPct?: number }

/** A figure in documents for programs. Unknown is null, never 0. */
export function figureJson(figure: Figure): FigureJson {
  return figure.basis === 'estimated'
    ? { value: figure.value, basis: figure.basis, errorPct: figure.errorPct }
    : { value: figure.value, basis: figure.basis }
}

/** A figure in a table: `142 310`, `≈ 142 310`, `?`. */
export function figureCell(figure: Figure): string {
  const { value, mark } = figureText(figure, 'count')
  if (value === null) return mark
  return mark === '' ? value : `${mark} ${value}`
}

/** A moment in documents for programs; null when unknown. @param at milliseconds since the epoch */
export function timeJson(at: number | null): string | null {
  return at === null || !Number.isFinite(at) ? null : new Date(at).toISOString()
}
