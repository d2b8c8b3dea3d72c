import { ChartFrame } from '@/components/charts/chart-frame'
import { Heads, Table, Td, Th, Tr } from '@/components/ui/table'
import type { LogSummary } from '@/lib/core/logs/fold-logs'
import { healthPlot } from '@/lib/view/activity/activity-charts'
import { toCsv } from '@/lib/view/text/csv'
import { formatCount, formatPercent, formatQuantity } from '@/lib/view/text/format'
import { absoluteTimeUtc } from '@/lib/view/text/time'
import { PlotFrame } from './plot'

const HEIGHT = 200
const SHOWN = 200

/** Fill of the window over time, as health checks found it. A time without a check stays empty. */
export function HealthCard({ health }: { health: LogSummary['health'] }) {
  const { points, fill } = health
  const unknown = fill.unknown === 0 ? '' : `; ${formatCount(fill.unknown)} do not tell the fill`
  return (
    <ChartFrame
      title="Health over time"
      note={`share of the window, lowest to highest; ${formatQuantity(fill.count, 'check')}${unknown}`}
      name="plimsoll-health"
      csv={() =>
        toCsv(
          ['from', 'to', 'checks', 'lowest', 'highest', 'last'],
          points.map(({ from, to, checks, lowest, highest, last }) => [
            ...[new Date(from).toISOString(), new Date(to).toISOString()],
            ...[checks, lowest, highest, last],
          ]),
        )
      }
      table={
        <Table caption="Health over time">
          <Heads text={['From (UTC)']} numbers={['Checks', 'Lowest', 'Highest', 'Last']} />
          <tbody>
            {points
              .toReversed()
              .slice(0, SHOWN)
              .map(({ from, checks, lowest, highest, last }) => (
                <Tr key={from}>
                  <Th scope="row" className="tnum whitespace-nowrap">
                    {absoluteTimeUtc(from)}
                  </Th>
                  <Td numeric>{formatCount(checks)}</Td>
                  <Td numeric>{formatPercent(lowest)}</Td>
                  <Td numeric>{formatPercent(highest)}</Td>
                  <Td numeric>{formatPercent(last)}</Td>
                </Tr>
              ))}
          </tbody>
        </Table>
      }
    >
      {points.length === 0 ? (
        <p className="py-8 text-muted">No health check tells how full a window was.</p>
      ) : (
        <PlotFrame
          label="Fill of the window over time; the same numbers are in the table"
          height={HEIGHT}
          axes={(width, height) => healthPlot(points, width, height)}
        >
          {(width, height) =>
            healthPlot(points, width, height).bars.map(({ key, title, mark, ...place }) => (
              <g key={key}>
                <rect {...place} fill="var(--accent)" opacity={0.45}>
                  <title>{title}</title>
                </rect>
                <rect x={place.x} width={place.width} y={mark - 1} height={2} fill="var(--accent)" />
              </g>
            ))
          }
        </PlotFrame>
      )}
    </ChartFrame>
  )
}
