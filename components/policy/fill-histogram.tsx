import { SilentPicture } from '@/components/charts/picture'
import type { FillAggregate } from '@/lib/view/policy/policy-fills'
import { fillHistogram } from '@/lib/view/policy/policy-histogram'
import type { Threshold } from '@/lib/view/policy/policy-lines'

const TOP = 8
const AXIS = 20

/**
 * Calls by fill with the thresholds across them. A drawing: it takes no clicks, thresholds are moved by the handles below.
 */
export function FillHistogram({
  fills,
  lines,
  width,
  height,
}: {
  fills: FillAggregate
  lines: readonly Threshold[]
  /** Of the plot; the rails below it have the same. */
  width: number
  height: number
}) {
  const plot = height - TOP - AXIS
  const view = fillHistogram(fills, width, plot)
  return (
    <SilentPicture
      width={width}
      height={height}
      className="pointer-events-none block overflow-visible select-none"
    >
      <g transform={`translate(0 ${TOP})`}>
        {view.yTicks.map((tick) => (
          <g key={tick.label}>
            <line x1="0" x2={width} y1={tick.y} y2={tick.y} stroke="var(--grid)" />
            <text x="-6" y={tick.y} dy="0.32em" textAnchor="end" fontSize="11" fill="var(--muted)">
              {tick.label}
            </text>
          </g>
        ))}
        {view.bars.map((bar) => (
          <rect key={bar.label} x={bar.x} y={bar.y} width={bar.width} height={bar.height} fill="var(--fill)">
            <title>{bar.label}</title>
          </rect>
        ))}
        <line x1="0" x2={width} y1={plot} y2={plot} stroke="var(--line-strong)" />
        {view.xTicks.map((tick) => (
          <g key={tick.label} transform={`translate(${tick.x} ${plot})`}>
            <line y2="4" stroke="var(--line-strong)" />
            <text y="16" textAnchor="middle" fontSize="11" fill="var(--muted)">
              {tick.label}
            </text>
          </g>
        ))}
        {lines
          .filter((line) => line.enabled)
          .map((line) => (
            <line
              key={line.id}
              data-line={line.id}
              x1={line.acts * width}
              x2={line.acts * width}
              y1={-TOP}
              y2={plot}
              stroke={line.kind === 'hard' ? 'var(--danger)' : 'var(--text)'}
              strokeWidth={line.kind === 'hard' || line.kind === 'compact' ? 1.5 : 1}
              strokeDasharray="5 4"
              opacity={line.note === null || line.kind === 'hard' ? 0.85 : 0.3}
            />
          ))}
      </g>
    </SilentPicture>
  )
}
