import type { Figure } from '@/lib/core/tokens/figure'
import { basisText, type FigureForm, figureText } from '@/lib/view/text/figure-text'
import { classes } from './classes'

/**
 * A number with its unit and its basis. Nothing after it: measured. `≈`: estimated, with the error on hover.
 * `?` instead of it: unknown. A reader hears the basis in words.
 */
export function FigureText({
  figure,
  form = 'count',
  unit,
  className,
}: {
  figure: Figure
  form?: FigureForm
  /** Printed after the number, e.g. `tokens`. */
  unit?: string
  className?: string
}) {
  const text = figureText(figure, form)
  return (
    <span className={classes('tnum whitespace-nowrap', className)} title={text.title}>
      {text.value === null ? (
        <>
          <span aria-hidden="true" className="text-muted">
            ?
          </span>
          <span className="sr-only">unknown</span>
        </>
      ) : (
        text.value
      )}
      {unit && <span className="text-muted">{`\u202f${unit}`}</span>}
      {figure.basis === 'estimated' && <EstimateMark errorPct={figure.errorPct} />}
    </span>
  )
}

/** The `≈` after an estimated number, on its own for places that write the number themselves. */
export function EstimateMark({ errorPct }: { errorPct: number | null }) {
  const title = basisText('estimated', errorPct)
  return (
    <span title={title} className="text-muted">
      <span aria-hidden="true">{'\u202f≈'}</span>
      <span className="sr-only">{` (${title})`}</span>
    </span>
  )
}
