import { ChartFrame } from '@/components/charts/chart-frame'
import { PageLink } from '@/components/ui/page-link'
import { Heads, Table, Td, Tr } from '@/components/ui/table'
import type { ScoreHistogram } from '@/lib/core/logs/score-histogram'
import { scorePlot } from '@/lib/view/activity/activity-charts'
import { toCsv } from '@/lib/view/text/csv'
import { formatCount, formatQuantity } from '@/lib/view/text/format'
import { PlotFrame } from './plot'

const HEIGHT = 200

/** How alike to the prompt dropped chunks were, by score, with the cut-offs that they were compared with. */
export function ScoresCard({
  scores,
  thresholds,
}: {
  scores: ScoreHistogram
  thresholds: readonly number[]
}) {
  const { bins, below, above, unknown } = scores
  const inBins = bins.reduce((sum, { count }) => sum + count, 0)
  const beside = [
    ...(below > 0 ? [`${formatCount(below)} below 0`] : []),
    ...(above > 0 ? [`${formatCount(above)} above 1`] : []),
    ...(unknown > 0 ? [`${formatCount(unknown)} without a score`] : []),
  ]
  return (
    <ChartFrame
      title="Scores of dropped chunks"
      note={[formatQuantity(inBins, 'drop'), ...beside].join(', ')}
      name="plimsoll-drop-scores"
      aside={
        <PageLink href="/activity/cut-off" className="px-2 text-label text-accent hover:underline">
          Move the cut-off
        </PageLink>
      }
      csv={() =>
        toCsv(
          ['from', 'to', 'drops'],
          bins.map(({ from, to, count }) => [from, to, count]),
        )
      }
      table={
        <Table caption="Scores of dropped chunks">
          <Heads numbers={['From', 'To', 'Drops']} />
          <tbody>
            {bins.map(({ from, to, count }) => (
              <Tr key={from}>
                <Td numeric>{from.toFixed(2)}</Td>
                <Td numeric>{to.toFixed(2)}</Td>
                <Td numeric>{formatCount(count)}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      }
    >
      {inBins === 0 ? (
        <p className="py-8 text-muted">No dropped chunk had a score.</p>
      ) : (
        <PlotFrame
          label="Dropped chunks by score; the same numbers are in the table"
          height={HEIGHT}
          axes={(width, height) => scorePlot(scores, width, height)}
        >
          {(width, height) => (
            <>
              {scorePlot(scores, width, height).bars.map(({ key, title, ...place }) => (
                <rect key={key} {...place} fill="var(--fill)">
                  <title>{title}</title>
                </rect>
              ))}
              {thresholds.slice(0, 3).map((threshold, i) => (
                <g key={threshold}>
                  <line
                    x1={threshold * width}
                    x2={threshold * width}
                    y1={0}
                    y2={height}
                    stroke="var(--text)"
                    strokeDasharray="5 4"
                  />
                  <text x={threshold * width + 5} y={10 + i * 14} className="tnum fill-text">
                    {`⊖ cut-off ${threshold}`}
                  </text>
                </g>
              ))}
            </>
          )}
        </PlotFrame>
      )}
    </ChartFrame>
  )
}
