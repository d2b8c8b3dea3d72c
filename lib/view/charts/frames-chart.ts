import type { RuntimeLine } from '../../core/budget/runtime-lines'
import { highestOf } from '../../core/lists/long-lists'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { CATEGORIES, type Category } from '../../core/tokens/category'
import type { Tokens } from '../../core/units/units'
import { type Region, regionRows } from '../policy/policy-ratio'
import type { WindowSpan } from '../session/call-columns'
import { clusterPins, type PinCluster, type SessionMarks } from '../session/session-marks'
import { formatCount, formatShort } from '../text/format'
import { callTicks, placeLabels, spacedOut, tokenTicks } from './chart-axis'
import { type ChartLadder, draftLadder } from './chart-ladder'
import { type FramesGeometry, framesGeometry } from './frames-geometry'
import { columnOf, type FrameSeries, peakOf } from './frames-series'
import { axisTime } from './time-axis'

/** What the upper edge of the chart is: the window, or a little above the largest frame on screen. */
export const CHART_SCALES = ['window', 'fit'] as const
export type ChartScale = (typeof CHART_SCALES)[number]

/** Frames that reach less than this of the lowest line are flat below it, which says nothing of what fills them. */
const FLAT_SHARE = 0.2

/**
 * What the upper edge of the chart is where none is chosen: the window, unless no frame of the session comes near to a
 * load line or to it.
 * @param all the frames of the whole session: a closer look at a part of it does not change the scale
 * @param isDraft lines of a draft are compared with the frames, and have to be on the chart
 */
export function scaleFor(
  all: FrameSeries,
  windows: readonly WindowSpan[],
  ladder: ChartLadder,
  isDraft: boolean,
): ChartScale {
  const window = windows.at(-1)
  if (isDraft || window === undefined) return 'window'
  // The window itself is among them, and below the lines of a runtime that believes it to be larger.
  const lowest = Math.min(...levelsOf(ladder, window).map(({ tokens }) => tokens))
  return (peakOf(all) ?? 0) < FLAT_SHARE * lowest ? 'fit' : 'window'
}

/** The area inside the axes, in pixels from the upper left corner of the drawing. */
export type Plot = {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** A load line, or the window itself: a step where the window changes. */
export type ChartLine = {
  readonly name: string
  readonly path: string
  /** `compact 100k` */
  readonly label: string
  /** Where its words are and where its right end is, from the top of the plot. */
  readonly at: number
  readonly y: number
  readonly kind: 'line' | 'window'
  /** Narrow charts have room for the words of the lines that matter most. */
  readonly labelled: boolean
}

/** A region of the window, from `y` down, in pixels from the top of the plot. */
type ChartRegion = {
  readonly region: Region
  readonly y: number
  readonly height: number
  /** `History: 90 000 tokens`. */
  readonly title: string
}

type ChartTick = { readonly at: number; readonly label: string; readonly note: string | null }

export type FramesChartView = {
  readonly plot: Plot
  readonly top: number
  readonly geometry: FramesGeometry
  readonly yTicks: readonly { readonly y: number; readonly label: string }[]
  readonly xTicks: readonly ChartTick[]
  readonly lines: readonly ChartLine[]
  /**
   * Where the words of the lines are: beside the plot; on a narrow chart upon it, at its beginning where the lines keep
   * their height, since the cursor begins at the end.
   */
  readonly words: 'beside' | 'start' | 'end'
  /** The regions of the last window on screen, beside the axis; none while the policy does not divide the window. */
  readonly regions: readonly ChartRegion[]
  /** Load lines above the upper edge, named: `hard 170k, window 200k`; null when all are on screen. */
  readonly above: string | null
  readonly pins: readonly (PinCluster & { readonly labelled: boolean })[]
  /** Calls at which another model or another window begins. */
  readonly changes: readonly { readonly x: number; readonly title: string }[]
}

const LABEL_GAP = 15
/** Lines whose words are on narrow charts too. */
const NARROW_LABELS = new Set(['compact', 'runtime compact', 'provider compact', 'hard', 'window'])

const DEFAULT_LADDER = draftLadder(DEFAULT_POLICY)
const CHAR_WIDTH = 6.6

/** Room beside the plot. Narrow charts have no right margin; the words of the lines then are on the plot. */
export function plotOf(width: number, height: number): Plot {
  const narrow = isNarrow(width)
  const left = 44
  const right = narrow ? 6 : 152
  const top = 22
  const bottom = 38
  return { left, top, width: Math.max(10, width - left - right), height: Math.max(10, height - top - bottom) }
}

function isNarrow(width: number): boolean {
  return width < 560
}

/** Everything that the chart of frames draws, at its place. */
export function framesChart(input: {
  readonly series: FrameSeries
  readonly marks: SessionMarks
  readonly width: number
  readonly height: number
  readonly scale: ChartScale
  /** Minutes that the reader's clock is ahead of UTC. */
  readonly offsetMinutes: number
  /** Whose load lines and regions are drawn; the default policy's where nothing is said. */
  readonly ladder?: ChartLadder
}): FramesChartView {
  const { series, marks, width, height, scale, offsetMinutes, ladder = DEFAULT_LADDER } = input
  const plot = plotOf(width, height)
  const spans = spansOf(marks.windows, series)
  const top = topOf(series, spans, scale)
  const y = (tokens: Tokens) => plot.height - (tokens / top) * plot.height
  const x = (call: number) => ((call - series.from) / Math.max(1, series.to - series.from + 1)) * plot.width
  const all = chartLines(spans, series, ladder, { x, y })
  const shown = all.filter((line) => line.y >= 0)
  const isLabelled = (line: { readonly name: string }) => !isNarrow(width) || NARROW_LABELS.has(line.name)
  const placed = placeLabels(shown.filter(isLabelled), LABEL_GAP, plot.height).map((line) => ({
    ...line,
    labelled: true,
  }))
  const silent = shown
    .filter((line) => !isLabelled(line))
    .map((line) => ({ ...line, at: line.y, labelled: false }))
  return {
    plot,
    top,
    geometry: framesGeometry(series, { width: plot.width, height: plot.height, top }),
    yTicks: tokenTicks(top, plot.height / 56).map((tick) => ({ y: y(tick.value), label: tick.label })),
    xTicks: timeTicks(series, { x, plot, offsetMinutes }),
    lines: [...placed, ...silent],
    words: isNarrow(width) ? (isOneSpan(spans, series) ? 'start' : 'end') : 'beside',
    regions: chartRegions(spans.at(-1)?.tokens ?? 0, ladder, y),
    above: namesOf(all.filter((line) => line.y < 0)),
    pins: labelledPins(clusterPins(marks.pins, series, plot.width, 6)),
    changes: changesOf(marks, series, x),
  }
}

/** The windows in force over the range, each from its first call on screen. */
function spansOf(windows: readonly WindowSpan[], series: FrameSeries): WindowSpan[] {
  return windows.flatMap((span, index) => {
    const end = (windows[index + 1]?.from ?? Number.POSITIVE_INFINITY) - 1
    if (end < series.from || span.from > series.to) return []
    return [{ ...span, from: Math.max(span.from, series.from) }]
  })
}

/** Whether one window is in force over all calls on screen. */
function isOneSpan([first, second]: readonly WindowSpan[], series: FrameSeries): boolean {
  return first !== undefined && second === undefined && first.from === series.from
}

/** A window that held for less than this share of the calls on screen does not decide about the scale. */
const BRIEF_SHARE = 0.1

/** Tokens at the upper edge: never below the largest frame on screen. */
function topOf(series: FrameSeries, spans: readonly WindowSpan[], scale: ChartScale): number {
  const peak = peakOf(series) ?? 0
  const count = series.to - series.from + 1
  const lasting = spans.filter((span, index) => {
    const end = spans[index + 1]?.from ?? series.to + 1
    return index === spans.length - 1 || (end - span.from) / count >= BRIEF_SHARE
  })
  const window = highestOf(
    lasting.map((span) => span.tokens),
    0,
  )
  if (scale === 'fit' && peak > 0) return peak * 1.12
  return Math.max(peak, window, 1) * 1.03
}

type Scales = { readonly x: (call: number) => number; readonly y: (tokens: Tokens) => number }

function chartLines(
  spans: readonly WindowSpan[],
  series: FrameSeries,
  ladder: ChartLadder,
  { x, y }: Scales,
): Omit<ChartLine, 'at' | 'labelled'>[] {
  const last = spans.at(-1)
  if (!last) return []
  return levelsOf(ladder, last).map(({ name, label, tokens }) => {
    const path = spans
      .map((span, index) => {
        const level = levelsOf(ladder, span).find((l) => l.name === name)
        if (!level || y(level.tokens) < 0) return ''
        const end = spans[index + 1]?.from ?? series.to + 1
        return `M${round(x(span.from))} ${round(y(level.tokens))}H${round(x(end))}`
      })
      .join('')
    return { name, path, label, y: y(tokens), kind: name === 'window' ? 'window' : 'line' }
  })
}

type Level = { readonly name: string; readonly label: string; readonly tokens: Tokens }

/** The ladder of a window, lowest first; lines at the same height are one, with the names of all. */
function levelsOf(ladder: ChartLadder, window: WindowSpan): Level[] {
  const levels = new Map<number, RuntimeLine[]>()
  for (const line of ladder.lines(window)) {
    // Checkpoints only take notes: they are no height that matters to a session.
    if (line.unreachable || line.kind === 'checkpoint') continue
    levels.set(line.tokens, [...(levels.get(line.tokens) ?? []), line])
  }
  return [
    ...[...levels].map(([tokens, lines]) => {
      const names = lines.length === 1 ? lines.map((line) => line.name) : lines.map((line) => line.kind)
      return { name: names[0] ?? '', label: `${names.join(' · ')} ${formatShort(tokens)}`, tokens }
    }),
    { name: 'window', label: `window ${formatShort(window.tokens)}`, tokens: window.tokens },
  ]
}

function chartRegions(window: number, { budget }: ChartLadder, y: Scales['y']): ChartRegion[] {
  if (!budget.enabled || window <= 0) return []
  let filled = 0
  return regionRows(budget, window).flatMap(({ region, label, tokens }) => {
    const bottom = y(filled)
    filled += tokens
    const top = Math.max(0, y(filled))
    const title = `${label}: ${formatCount(tokens)} tokens`
    return bottom <= 0 || tokens === 0 ? [] : [{ region, y: round(top), height: round(bottom - top), title }]
  })
}

function namesOf(lines: readonly { readonly label: string }[]): string | null {
  return lines.length === 0 ? null : lines.map((line) => line.label).join(', ')
}

function timeTicks(
  series: FrameSeries,
  input: { readonly x: Scales['x']; readonly plot: Plot; readonly offsetMinutes: number },
): ChartTick[] {
  const { x, plot, offsetMinutes } = input
  let before: number | null = null
  const ticks = callTicks(series.from, series.to, plot.width / 140).map((call) => {
    const column = columnOf(series, call)
    const at = column === null ? null : (series.at[column] ?? null)
    const note = at === null ? null : axisTime(at, before, offsetMinutes)
    if (at !== null) before = at
    // A call is a column: its tick is under the middle of it.
    const middle = Math.min(plot.width, (x(call) + x(call + 1)) / 2)
    return { at: middle, label: formatCount(call), note, x: middle, width: (note ?? '').length * CHAR_WIDTH }
  })
  return spacedOut(ticks, 10).map(({ at, label, note }) => ({ at, label, note }))
}

function labelledPins(clusters: readonly PinCluster[]): FramesChartView['pins'] {
  const kept = new Set(
    spacedOut(
      clusters.map((cluster) => ({ ...cluster, cluster, width: cluster.label.length * CHAR_WIDTH + 12 })),
      6,
    ).map((item) => item.cluster),
  )
  return clusters.map((cluster) => ({ ...cluster, labelled: kept.has(cluster) }))
}

function changesOf(marks: SessionMarks, series: FrameSeries, x: Scales['x']): FramesChartView['changes'] {
  const titles = new Map<number, string[]>()
  const note = (call: number, title: string) => {
    if (call <= series.from || call > series.to) return
    titles.set(call, [...(titles.get(call) ?? []), title])
  }
  for (const change of marks.models) note(change.call, `model ${change.model}`)
  marks.windows.forEach((span, index) => {
    const before = marks.windows[index - 1]
    if (before && before.tokens !== span.tokens) {
      note(span.from, `window ${formatShort(before.tokens)}→${formatShort(span.tokens)}`)
    }
  })
  return [...titles].map(([call, parts]) => ({
    x: x(call),
    title: `From call ${formatCount(call)}: ${parts.join(', ')}`,
  }))
}

/** The category drawn at a height of a column; null above the stack and in gaps. */
export function categoryAt(series: FrameSeries, column: number, tokens: Tokens): Category | null {
  if (series.total[column] === null) return null
  let sum = 0
  for (const [index, category] of CATEGORIES.entries()) {
    sum += series.tokens[index]?.[column] ?? 0
    if (tokens < sum) return category
  }
  return null
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
