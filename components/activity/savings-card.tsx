import { ChartFrame } from '@/components/charts/chart-frame'
import { Heads, Table, Td, Th, Tr } from '@/components/ui/table'
import type { NumberStats } from '@/lib/core/logs/number-stats'
import type { ActivityView } from '@/lib/view/activity/activity'
import { savingsPlot } from '@/lib/view/activity/activity-charts'
import { toCsv } from '@/lib/view/text/csv'
import { formatCount } from '@/lib/view/text/format'
import { PlotFrame } from './plot'

const HEIGHT = 200

/** Tokens that compactions and curations say they saved, by day and in all. */
export function SavingsCard({ view: { summary, savings } }: { view: ActivityView }) {
  const { compactions, curations } = summary
  const lines = compactions.savings.count + curations.savings.count
  const unknown = compactions.savings.unknown + curations.savings.unknown
  return (
    <ChartFrame
      title="Tokens saved"
      note={`as the logs say, by UTC day${unknown === 0 ? '' : `; ${formatCount(unknown)} lines do not say`}`}
      name="plimsoll-savings"
      csv={() =>
        toCsv(
          ['day', 'compactions', 'curation', 'lines that do not say'],
          savings.map(({ day, compaction, curation, unknown: none }) => [day, compaction, curation, none]),
        )
      }
      table={
        <Table caption="Tokens saved">
          <Heads text={['By']} numbers={['Lines', 'Unknown', 'Sum', 'Mean', 'Median', 'p95']} />
          <tbody>
            <StatsRow name="compactions" stats={compactions.savings} />
            <StatsRow name="curation" stats={curations.savings} />
          </tbody>
        </Table>
      }
    >
      {lines === 0 ? (
        <p className="py-8 text-muted">No line has tokens saved.</p>
      ) : (
        <>
          <PlotFrame
            label="Tokens saved by day; the sums are in the table"
            height={HEIGHT}
            axes={(width, height) => savingsPlot(savings, width, height)}
          >
            {(width, height) => {
              const { bars, upper } = savingsPlot(savings, width, height)
              return [...bars, ...upper].map(({ key, title, ...place }, i) => (
                <rect key={key} {...place} fill={i < bars.length ? 'var(--fill)' : 'var(--accent)'}>
                  <title>{title}</title>
                </rect>
              ))
            }}
          </PlotFrame>
          <ul className="mt-2 flex flex-wrap gap-x-4 text-label text-muted">
            <Legend colour="var(--fill)" name="compactions" sum={compactions.savings.sum} />
            <Legend colour="var(--accent)" name="curation" sum={curations.savings.sum} />
          </ul>
        </>
      )}
    </ChartFrame>
  )
}

function Legend({ colour, name, sum }: { colour: string; name: string; sum: number }) {
  return (
    <li className="inline-flex items-center gap-1.5">
      <span aria-hidden="true" className="size-2.5 rounded-sm" style={{ background: colour }} />
      <span className="tnum">{`${name} ${formatCount(Math.round(sum))}`}</span>
    </li>
  )
}

function StatsRow({ name, stats }: { name: string; stats: NumberStats }) {
  const cell = (value: number | null) => (value === null ? '?' : formatCount(Math.round(value)))
  return (
    <Tr>
      <Th scope="row">{name}</Th>
      <Td numeric>{formatCount(stats.count)}</Td>
      <Td numeric>{formatCount(stats.unknown)}</Td>
      <Td numeric>{stats.count === 0 ? '?' : cell(stats.sum)}</Td>
      <Td numeric>{cell(stats.mean)}</Td>
      <Td numeric>{cell(stats.median)}</Td>
      <Td numeric>{cell(stats.p95)}</Td>
    </Tr>
  )
}
