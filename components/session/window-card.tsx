'use client'

import { useId } from 'react'
import { ChartFrame } from '@/components/charts/chart-frame'
import { ChoiceButtons } from '@/components/charts/choice'
import { FramesDrawing } from '@/components/charts/frames-drawing'
import { FramesPlot } from '@/components/charts/frames-plot'
import { RangeBrush } from '@/components/charts/range-brush'
import { Scrubber } from '@/components/charts/scrubber'
import { UnseenSwatch } from '@/components/charts/unseen-pattern'
import { useSize } from '@/components/charts/use-size'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import type { Category } from '@/lib/core/tokens/category'
import type { ChartLadder } from '@/lib/view/charts/chart-ladder'
import { framesChart, plotOf, scaleFor } from '@/lib/view/charts/frames-chart'
import { type FrameSeries, hasCuts, isExact } from '@/lib/view/charts/frames-series'
import type { CallRange } from '@/lib/view/session/scrub'
import { UNSEEN_WORDS } from '@/lib/view/session/seen'
import type { SessionSummary } from '@/lib/view/session/session-head'
import type { ContextSelection } from '@/lib/view/session/session-selection'
import { formatCount } from '@/lib/view/text/format'
import { CallFindings } from './call-findings'
import { FindingMarks, LANE_HEIGHT } from './finding-marks'
import { FramesTable } from './frames-table'
import { useOffsetMinutes } from './use-offset'

const FULL_HEIGHT = 300
/** With fewer calls than this the whole session is the closest look there is. */
const BRUSH_FROM = 24

/** The window over all calls: stacked frames, load lines, pins, scrubber and, below, the whole session in small. */
export function WindowCard({
  summary,
  all,
  series,
  call,
  valueText,
  selection,
  ladder,
  onSelect,
  onScrub,
  onPick,
}: {
  summary: SessionSummary
  /** Frames of the whole session, and of the stretch on the chart. */
  all: FrameSeries
  series: FrameSeries
  call: number
  valueText: string
  selection: ContextSelection
  /** Whose load lines and regions are drawn. */
  ladder: ChartLadder
  onSelect: (change: Partial<ContextSelection>) => void
  onScrub: (call: number) => void
  /** A place on the plot was pressed: a call, and the category of the layer (null above the stack). */
  onPick: (call: number, category: Category | null | undefined) => void
}) {
  const id = useId()
  const [area, size] = useSize<HTMLDivElement>()
  const offsetMinutes = useOffsetMinutes()
  const { head, marks } = summary
  const range: CallRange = { from: series.from, to: series.to }
  // The lane of findings takes its room from the chart: what is below stays where it is.
  const height = summary.findings.marks.length > 0 ? FULL_HEIGHT - LANE_HEIGHT : FULL_HEIGHT
  const width = size?.width ?? 0
  const scale = selection.scale ?? scaleFor(all, marks.windows, ladder, selection.policy !== null)
  const view =
    size === null ? null : framesChart({ series, marks, width, height, scale, offsetMinutes, ladder })
  const plot = plotOf(width, height)

  return (
    <ChartFrame
      title="Window over calls"
      name={`${head.id}-frames`}
      note={noteOf(series, head.calls, view?.above ?? null)}
      csv={{ href: `/api/sessions/${head.id}/calls.csv` }}
      table={<FramesTable id={head.id} series={series} call={call} onScrub={onScrub} />}
      form={selection.chart}
      onForm={(chart) => onSelect({ chart })}
      aside={
        <>
          {selection.range !== null && (
            <Button kind="quiet" onClick={() => onSelect({ range: null })}>
              Show all calls
            </Button>
          )}
          <ChoiceButtons
            legend="Upper edge of the chart"
            options={[
              { value: 'window', label: 'Window' },
              { value: 'fit', label: 'Largest' },
            ]}
            chosen={scale}
            onChoose={(scale) => onSelect({ scale })}
          />
          <Button
            kind={selection.policy === null ? 'quiet' : 'plain'}
            aria-pressed={selection.policy !== null}
            onClick={() => onSelect({ policy: selection.policy === null ? 'effective' : null })}
          >
            Try a draft
          </Button>
        </>
      }
    >
      <div ref={area} className="relative min-w-0">
        {view === null ? (
          <div style={{ height }}>
            <Skeleton className="size-full" />
          </div>
        ) : (
          <section
            aria-label="Stacked area of tokens by category over calls. The same numbers are in the table."
            style={{ height }}
          >
            <FramesDrawing view={view} width={width} height={height} id={id} highlight={selection.category} />
            <FramesPlot series={series} plot={view.plot} top={view.top} call={call} onPick={onPick} />
          </section>
        )}
        {hasCuts(series) && (
          <p data-testid="unseen-legend" className="flex items-center gap-2 px-4 py-1 text-label text-muted">
            <UnseenSwatch id={`${id}-unseen-legend`} />
            {UNSEEN_WORDS}
          </p>
        )}
        {head.calls > 0 && (
          <>
            <FindingMarks
              marks={summary.findings.marks}
              range={range}
              left={plot.left}
              width={plot.width}
              isMeasured={size !== null}
              onScrub={onScrub}
            />
            <Scrubber
              call={call}
              calls={head.calls}
              range={range}
              left={plot.left}
              width={plot.width}
              valueText={valueText}
              onScrub={onScrub}
            />
            {head.calls >= BRUSH_FROM && size !== null && (
              <RangeBrush
                series={all}
                calls={head.calls}
                range={range}
                left={plot.left}
                width={plot.width}
                onRange={(next) => onSelect({ range: next })}
              />
            )}
            <CallFindings id={head.id} marks={summary.findings.marks} call={call} />
          </>
        )}
      </div>
    </ChartFrame>
  )
}

/** What is on the chart: which calls, whether they were reduced, and which lines are out of sight. */
function noteOf(series: FrameSeries, calls: number, above: string | null): string {
  const shown =
    series.from === 1 && series.to >= calls
      ? `${formatCount(calls)} calls`
      : `calls ${formatCount(series.from)}–${formatCount(series.to)} of ${formatCount(calls)}`
  const reduced = isExact(series)
    ? ''
    : `, ${Math.ceil((series.to - series.from + 1) / series.first.length)} to a column`
  return `Tokens as sent, by category, for ${shown}${reduced}${above === null ? '' : ` · above: ${above}`}`
}
