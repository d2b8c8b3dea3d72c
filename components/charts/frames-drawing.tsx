import { CategoryPatterns } from '@/components/charts/category-patterns'
import { SilentPicture } from '@/components/charts/picture'
import { UnseenPattern } from '@/components/charts/unseen-pattern'
import type { Category } from '@/lib/core/tokens/category'
import { CATEGORY_VIEWS, patternId } from '@/lib/view/charts/category'
import type { ChartLine, FramesChartView } from '@/lib/view/charts/frames-chart'
import { REGION_VIEWS } from '@/lib/view/policy/policy-ratio'
import { UNSEEN_WORDS } from '@/lib/view/session/seen'

/**
 * The chart of frames as it was prepared. Drawn by hand as SVG: a stack of fourteen paths of 720 steps each takes a
 * few milliseconds and is not drawn again while the cursor moves, where a chart library keeps one element per call and
 * layer. Text and lines are part of the drawing, so that a saved SVG has them.
 */
export function FramesDrawing({
  view,
  width,
  height,
  id,
  highlight,
}: {
  view: FramesChartView
  width: number
  height: number
  /** Prefix of the pattern ids: unique on the page. */
  id: string
  /** The category to highlight; the others fade. */
  highlight: Category | null
}) {
  const { plot, geometry } = view
  return (
    <SilentPicture
      width={width}
      height={height}
      // What was painted is used again while only things around it change.
      className="isolate block select-none"
    >
      <CategoryPatterns prefix={id} />
      <UnseenPattern id={`${id}-unseen`} />
      <g transform={`translate(${plot.left} ${plot.top})`}>
        {view.yTicks.map((tick) => (
          <g key={tick.label}>
            <line x1="0" x2={plot.width} y1={tick.y} y2={tick.y} stroke="var(--grid)" />
            <text
              x={view.regions.length > 0 ? -12 : -8}
              y={tick.y}
              dy="0.32em"
              textAnchor="end"
              fontSize="12"
              fill="var(--muted)"
            >
              {tick.label}
            </text>
          </g>
        ))}
        {view.regions.map((region) => (
          <rect
            key={region.region}
            data-region={region.region}
            x="-8"
            y={region.y}
            width="6"
            height={Math.max(0, region.height - 1)}
            fill={REGION_VIEWS[region.region].color}
          >
            <title>{region.title}</title>
          </rect>
        ))}
        {geometry.gaps.map(([left, gapWidth]) => (
          <rect
            key={left}
            x={left}
            y={plot.height - 4}
            width={Math.max(1, gapWidth)}
            height="4"
            fill="none"
            stroke="var(--line-strong)"
            strokeDasharray="2 2"
          />
        ))}
        {geometry.layers.map(({ category, area, edge }) => (
          <g key={category}>
            <path d={area} fill="var(--surface)" />
            <path
              d={area}
              fill={`url(#${patternId(id, category)})`}
              opacity={highlight === null || highlight === category ? 1 : 0.22}
              data-category={CATEGORY_VIEWS[category].category}
            />
            <path d={edge} fill="none" stroke="var(--surface)" strokeWidth="1" />
          </g>
        ))}
        {geometry.unseen !== '' && (
          <path data-unseen d={geometry.unseen} fill={`url(#${id}-unseen)`}>
            <title>{UNSEEN_WORDS}</title>
          </path>
        )}
        <path d={geometry.range} fill="none" stroke="var(--text)" strokeWidth="1" opacity="0.28" />
        <path d={geometry.measured} fill="none" stroke="var(--text)" strokeWidth="1.25" />
        <path
          d={geometry.estimated}
          fill="none"
          stroke="var(--text)"
          strokeWidth="1.25"
          strokeDasharray="3 2"
        />
        <line x1="0" x2={plot.width} y1={plot.height} y2={plot.height} stroke="var(--line-strong)" />
        <Marks view={view} />
        {view.lines.map((line) => (
          <LoadLine key={line.name} line={line} plotWidth={plot.width} words={view.words} />
        ))}
        {view.xTicks.map((tick) => (
          <g
            key={tick.at}
            transform={`translate(${tick.at} ${plot.height})`}
            fontSize="12"
            textAnchor="middle"
          >
            <line y2="4" stroke="var(--line-strong)" />
            <text y="17" fill="var(--text)">
              {tick.label}
            </text>
            {tick.note && (
              <text y="32" fill="var(--muted)">
                {tick.note}
              </text>
            )}
          </g>
        ))}
      </g>
    </SilentPicture>
  )
}

/** Compaction and reset pins above the plot, and the calls at which model or window change. */
function Marks({ view }: { view: FramesChartView }) {
  const { plot } = view
  return (
    <>
      {view.changes.map((change) => (
        <g key={change.x}>
          <title>{change.title}</title>
          <line
            x1={change.x}
            x2={change.x}
            y1="0"
            y2={plot.height}
            stroke="var(--accent)"
            strokeDasharray="1 3"
          />
          <path d={`M${change.x - 3} ${plot.height + 5}h6l-3 -5z`} fill="var(--accent)" />
        </g>
      ))}
      {view.pins.map((pin) => (
        <g key={pin.x}>
          <title>{pin.title}</title>
          <line
            x1={pin.x}
            x2={pin.x}
            y1="-2"
            y2={plot.height}
            stroke="var(--line-strong)"
            strokeDasharray="1 2"
          />
          <path d={`M${pin.x - 4} -8h8l-4 6z`} fill="var(--text)" />
          {pin.labelled && (
            <text x={pin.x} y="-11" textAnchor="middle" fontSize="12" fill="var(--text)">
              {pin.label}
            </text>
          )}
        </g>
      ))}
    </>
  )
}

/** A load line, dashed, with its glyph, name and value; the window is a plain line. */
function LoadLine({
  line,
  plotWidth,
  words,
}: {
  line: ChartLine
  plotWidth: number
  words: FramesChartView['words']
}) {
  const color = line.kind === 'window' ? 'var(--line-strong)' : 'var(--text)'
  const onPlot = words !== 'beside'
  const labelWidth = (line.label.length + 2) * 6.6
  const x = { beside: plotWidth + (line.kind === 'window' ? 8 : 24), start: 6, end: plotWidth - 6 }[words]
  return (
    <g data-line={line.name}>
      <path d={line.path} fill="none" stroke="var(--surface)" strokeWidth="3" opacity="0.5" />
      <path
        d={line.path}
        fill="none"
        stroke={color}
        strokeWidth="1"
        strokeDasharray={line.kind === 'window' ? undefined : '5 4'}
      />
      {!onPlot && line.labelled && (
        <>
          <path
            d={`M${plotWidth} ${line.y}L${plotWidth + 6} ${line.at}`}
            fill="none"
            stroke={color}
            opacity="0.5"
          />
          {line.kind === 'line' && <LineGlyph x={plotWidth + 14} y={line.at} />}
        </>
      )}
      {line.labelled && onPlot && (
        <rect
          x={words === 'start' ? 2 : plotWidth - 10 - labelWidth}
          y={line.at - 18}
          width={labelWidth + 8}
          height="16"
          rx="3"
          fill="var(--surface)"
          opacity="0.85"
        />
      )}
      {line.labelled && (
        <text
          x={x}
          y={onPlot ? line.at - 6 : line.at}
          dy={onPlot ? 0 : '0.32em'}
          textAnchor={words === 'end' ? 'end' : 'start'}
          fontSize="12"
          fill={line.kind === 'window' ? 'var(--muted)' : 'var(--text)'}
        >
          {onPlot && line.kind === 'line' ? `⊖ ${line.label}` : line.label}
        </text>
      )}
    </g>
  )
}

/** The Plimsoll mark, small: the glyph of every load line. */
function LineGlyph({ x, y }: { x: number; y: number }) {
  return (
    <g transform={`translate(${x} ${y})`} fill="none" stroke="var(--text)" strokeWidth="1.25">
      <circle r="3.4" fill="var(--surface)" />
      <line x1="-6" x2="6" />
    </g>
  )
}
