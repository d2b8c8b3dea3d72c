import { estimated, measured, UNKNOWN } from '@/lib/core/tokens/figure'
import { FigureText } from '../ui/figure'
import { PlimsollMark } from '../ui/mark'

/** What is after a number, and the glyph of a load line. */
export function MarksLegend() {
  return (
    <dl className="text-table">
      <Mark sample={<FigureText figure={measured(142_310)} />}>
        measured: a provider or the runtime reported it, or it was counted exactly
      </Mark>
      <Mark sample={<FigureText figure={estimated(142_310, 8)} />}>
        estimated: hover for the error, give or take
      </Mark>
      <Mark sample={<FigureText figure={UNKNOWN} />}>
        unknown: not reported, and it cannot be estimated; never counted as 0
      </Mark>
      <Mark sample={<PlimsollMark size={16} />}>a load line: a level at which the policy acts</Mark>
    </dl>
  )
}

function Mark({ sample, children }: { sample: React.ReactNode; children: string }) {
  return (
    <div className="flex items-center gap-3 border-b border-line py-1.5 last:border-0">
      <dt className="w-28 shrink-0">{sample}</dt>
      <dd>{children}</dd>
    </div>
  )
}
