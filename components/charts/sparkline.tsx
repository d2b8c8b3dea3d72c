import { sparklinePath } from '@/lib/view/charts/sparkline'

const WIDTH = 96
const HEIGHT = 20

/**
 * The course of a number over its last few values; unknown values are gaps. `ceiling` is the value at the upper edge,
 * `line` a level drawn across (a load line).
 */
export function Sparkline({
  values,
  ceiling,
  line,
  label,
}: {
  values: readonly (number | null)[]
  ceiling: number | null
  line?: number | null
  label: string
}) {
  const shape = sparklinePath({ values, ceiling, width: WIDTH, height: HEIGHT })
  return (
    <svg
      role="img"
      aria-label={label}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="block shrink-0 overflow-visible"
    >
      {line != null && shape.top > 0 && line <= shape.top && (
        <line
          x1="0"
          x2={WIDTH}
          y1={shape.y(line)}
          y2={shape.y(line)}
          className="stroke-line-strong"
          strokeDasharray="2 3"
        />
      )}
      <path
        d={shape.path}
        fill="none"
        className="stroke-fill"
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      {shape.last && <circle cx={shape.last.x} cy={shape.last.y} r="2" className="fill-fill" />}
    </svg>
  )
}
