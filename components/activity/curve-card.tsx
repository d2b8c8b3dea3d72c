import { PlotFrame } from '@/components/activity/plot'
import { ChartFrame } from '@/components/charts/chart-frame'
import { Heads, Table, Td, Tr } from '@/components/ui/table'
import type { CutoffView } from '@/lib/view/activity/cutoff'
import { curvePlot } from '@/lib/view/activity/cutoff-plot'
import { toCsv } from '@/lib/view/text/csv'
import { formatCount } from '@/lib/view/text/format'

const HEIGHT = 240

/** How many of the logged drops each cut-off would have dropped, and how many of those were wanted later. */
export function CurveCard({ view }: { view: CutoffView }) {
  const { curve, before, after } = view
  return (
    <ChartFrame
      title="Logged drops by cut-off"
      note="dropped at or below it; in red: recovered or needed later"
      name="plimsoll-cut-off"
      csv={() =>
        toCsv(
          ['cut-off', 'dropped', 'tokens', 'wanted later'],
          curve.map(({ cutoff, dropped, tokens, against }) => [cutoff, dropped, tokens, against]),
        )
      }
      table={
        <Table caption="Logged drops by cut-off">
          <Heads numbers={['Cut-off', 'Dropped', 'Tokens', 'Wanted later']} />
          <tbody>
            {curve.map(({ cutoff, dropped, tokens, against }) => (
              <Tr key={cutoff}>
                <Td numeric>{cutoff.toFixed(2)}</Td>
                <Td numeric>{formatCount(dropped)}</Td>
                <Td numeric>{formatCount(tokens)}</Td>
                <Td numeric>{formatCount(against)}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      }
    >
      <PlotFrame
        label="Logged drops by cut-off; the same numbers are in the table"
        height={HEIGHT}
        axes={(width, height) => curvePlot(curve, width, height)}
      >
        {(width, height) => {
          const { dropped, against, xOf } = curvePlot(curve, width, height)
          return (
            <>
              <path d={dropped} fill="var(--fill)" opacity={0.5} />
              <path d={against} fill="var(--danger)" opacity={0.75} />
              {[
                { name: 'before', value: before.setting.cutoff, y: 10 },
                { name: 'after', value: after.setting.cutoff, y: 24 },
              ].map(({ name, value, y }) => (
                <g key={name}>
                  <line
                    x1={xOf(value)}
                    x2={xOf(value)}
                    y1={0}
                    y2={height}
                    stroke={name === 'after' ? 'var(--accent)' : 'var(--text)'}
                    strokeDasharray="5 4"
                  />
                  <text
                    x={xOf(value) + (xOf(value) > width - 90 ? -5 : 5)}
                    y={y}
                    textAnchor={xOf(value) > width - 90 ? 'end' : 'start'}
                    className="tnum fill-text"
                  >
                    {`⊖ ${name} ${value}`}
                  </text>
                </g>
              ))}
            </>
          )
        }}
      </PlotFrame>
    </ChartFrame>
  )
}
