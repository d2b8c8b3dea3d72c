'use client'

import { PlotFrame } from '@/components/activity/plot'
import { ChartFrame } from '@/components/charts/chart-frame'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import type { LabResultView } from '@/lib/view/lab/lab-result'
import { ROLE_WORDS } from '@/lib/view/lab/result-words'
import { type PlacedPoint, scatterPlot } from '@/lib/view/lab/scatter'
import { toCsv } from '@/lib/view/text/csv'
import { PolicyHeads } from './policy-heads'

const HEIGHT = 380

/** Saving against long-range recall: the better a policy, the further up and to the right. */
export function FrontierCard({ experiment, result }: { experiment: string; result: LabResultView }) {
  const { points, rows } = result
  const shown = new Set(points.map(({ key }) => key))
  const without = rows.filter(({ name }) => !shown.has(name)).length
  return (
    <ChartFrame
      title="Saving against long-range recall"
      note={`to the right: share of the cost saved against keeping everything; upwards: needs older than ten calls that are met; crosses: 95 % intervals${without === 0 ? '' : `; ${without} without a figure are in the table alone`}`}
      name={`plimsoll-experiment-${experiment}`}
      csv={() =>
        toCsv(
          ['policy', 'saving', 'saving low', 'saving high', 'long-range recall', 'recall low', 'recall high'],
          points.map(({ label, x, y }) => [label, x.value, x.low, x.high, y.value, y.low, y.high]),
        )
      }
      table={
        <Table caption="Saving against long-range recall">
          <thead>
            <tr>
              <PolicyHeads />
            </tr>
          </thead>
          <tbody>
            {rows.map(({ number, name, label, saving, longRecall }) => (
              <Tr key={name}>
                <Td numeric>{number}</Td>
                <Th scope="row">{label}</Th>
                <Td numeric>{saving}</Td>
                <Td numeric>{longRecall}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      }
    >
      {points.length === 0 ? (
        <p className="py-6 text-table text-muted">
          No policy has both figures: these sessions have no need that is older than ten calls.
        </p>
      ) : (
        <>
          <PlotFrame
            label="Policies by saving and long-range recall; the same numbers are in the table"
            height={HEIGHT}
            axes={(width, height) => scatterPlot(points, width, height)}
          >
            {(width, height) => {
              const { points: placed, zero } = scatterPlot(points, width, height)
              return (
                <>
                  {zero !== null && (
                    <line
                      x1={zero}
                      x2={zero}
                      y1={0}
                      y2={height}
                      stroke="var(--line-strong)"
                      strokeDasharray="2 3"
                    />
                  )}
                  {placed.map((point) => (
                    <Spread key={point.key} point={point} />
                  ))}
                  {placed.map((point) => (
                    <Point key={point.key} point={point} />
                  ))}
                </>
              )
            }}
          </PlotFrame>
          <Legend />
        </>
      )}
    </ChartFrame>
  )
}

/** The intervals of both figures. */
function Spread({ point: { cx, cy, left, right, top, bottom } }: { point: PlacedPoint }) {
  return (
    <g stroke="var(--muted)" strokeOpacity={0.55}>
      <line x1={left} x2={right} y1={cy} y2={cy} />
      <line x1={cx} x2={cx} y1={top} y2={bottom} />
    </g>
  )
}

function Point({ point }: { point: PlacedPoint }) {
  const { cx, cy, name, role, text, label } = point
  const isMarked = role === 'in-force' || role === 'tuned'
  return (
    <g>
      <title>{`${label}${ROLE_WORDS[role] === '' ? '' : ` (${ROLE_WORDS[role]})`}`}</title>
      {name?.isLed === true && (
        <line x1={cx} y1={cy} x2={name.x} y2={name.y} stroke="var(--muted)" strokeOpacity={0.5} />
      )}
      <PointShape role={role} cx={cx} cy={cy} />
      {name !== null && (
        <text
          x={name.x}
          y={name.y}
          dy="0.355em"
          textAnchor={name.anchor}
          // Under the words, so that the lines that they cross do not strike them out.
          stroke="var(--surface)"
          strokeWidth={3}
          paintOrder="stroke"
          className={isMarked ? 'tnum fill-text font-medium' : 'tnum fill-text'}
        >
          {text}
        </text>
      )}
    </g>
  )
}

/** Oracles are diamonds, what was recorded is a square, what keeps everything a bar; the rest are circles. */
function PointShape({ role, cx, cy }: Pick<PlacedPoint, 'role' | 'cx' | 'cy'>) {
  switch (role) {
    case 'oracle':
      return <path d={`M${cx} ${cy - 6}l6 6l-6 6l-6 -6z`} fill="var(--ok)" />
    case 'recorded':
      return <rect x={cx - 5} y={cy - 5} width={10} height={10} fill="var(--attention)" />
    case 'all':
      return <rect x={cx - 2} y={cy - 6} width={4} height={12} fill="var(--muted)" />
    case 'random':
      return <circle cx={cx} cy={cy} r={3.5} fill="none" stroke="var(--muted)" strokeWidth={1.5} />
    case 'in-force':
    case 'tuned':
      return (
        <>
          <circle cx={cx} cy={cy} r={7} fill="none" stroke="var(--accent)" strokeWidth={1.5} />
          <circle cx={cx} cy={cy} r={4} fill="var(--accent)" />
        </>
      )
    default:
      return <circle cx={cx} cy={cy} r={4} fill="var(--accent)" />
  }
}

function Legend() {
  const marks = [
    ['policy', 'a policy'],
    ['in-force', 'in force, or tuned'],
    ['recorded', 'as it was'],
    ['oracle', 'oracle: knows the future'],
    ['all', 'keeps everything'],
    ['random', 'by chance'],
  ] as const
  return (
    <ul aria-label="Marks" className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-label text-muted">
      {marks.map(([role, words]) => (
        <li key={role} className="flex items-center gap-1.5">
          <svg width={16} height={16} aria-hidden="true">
            <PointShape role={role} cx={8} cy={8} />
          </svg>
          {words}
        </li>
      ))}
    </ul>
  )
}
