import { ChartFrame } from '@/components/charts/chart-frame'
import { Picture } from '@/components/charts/picture'
import { useSize } from '@/components/charts/use-size'
import { Heads, Table, Td, Th, Tr } from '@/components/ui/table'
import type { Tally } from '@/lib/core/logs/fold-logs'
import { toCsv } from '@/lib/view/text/csv'
import { formatCount, formatPercent, formatQuantity } from '@/lib/view/text/format'
import { shownText } from '@/lib/view/text/shown-text'

const ROW = 26
const NAME = 150

/** Why chunks were dropped, counted. */
export function ReasonsCard({ reasons }: { reasons: Tally }) {
  const rows = reasons.map(({ name, count }) => ({
    name: name === null ? 'no reason given' : shownText(name),
    count,
  }))
  const total = rows.reduce((sum, { count }) => sum + count, 0)
  return (
    <ChartFrame
      title="Drops by reason"
      note={formatQuantity(total, 'drop')}
      name="plimsoll-drop-reasons"
      csv={() =>
        toCsv(
          ['reason', 'drops'],
          rows.map(({ name, count }) => [name, count]),
        )
      }
      table={
        <Table caption="Drops by reason">
          <Heads text={['Reason']} numbers={['Drops', 'Share']} />
          <tbody>
            {rows.map(({ name, count }) => (
              <Tr key={name}>
                <Th scope="row">{name}</Th>
                <Td numeric>{formatCount(count)}</Td>
                <Td numeric>{formatPercent(count / total)}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      }
    >
      {total === 0 ? <p className="py-8 text-muted">No drop is logged here.</p> : <Bars rows={rows} />}
    </ChartFrame>
  )
}

function Bars({ rows }: { rows: readonly { readonly name: string; readonly count: number }[] }) {
  const [area, size] = useSize<HTMLDivElement>()
  const most = Math.max(1, ...rows.map(({ count }) => count))
  const width = Math.max(1, (size?.width ?? 0) - NAME - 56)
  return (
    <div ref={area} style={{ height: rows.length * ROW }}>
      {size !== null && (
        <Picture
          label="Drops by reason; the same numbers are in the table"
          width={size.width}
          height={rows.length * ROW}
        >
          {rows.map(({ name, count }, i) => (
            <g key={name} transform={`translate(0 ${i * ROW})`}>
              <text x={NAME - 8} y={ROW / 2} dy="0.355em" textAnchor="end" className="fill-text">
                {name.length > 22 ? `${name.slice(0, 21)}…` : name}
              </text>
              <rect
                x={NAME}
                y={5}
                width={(count / most) * width}
                height={ROW - 10}
                rx={2}
                fill="var(--fill)"
              />
              <text
                x={NAME + (count / most) * width + 8}
                y={ROW / 2}
                dy="0.355em"
                className="tnum fill-muted"
              >
                {formatCount(count)}
              </text>
            </g>
          ))}
        </Picture>
      )}
    </div>
  )
}
