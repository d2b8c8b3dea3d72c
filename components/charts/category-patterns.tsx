import { CATEGORY_ORDER, type CategoryPattern, patternId } from '@/lib/view/charts/category'

/** Side of one repeat of every pattern, in pixels. */
const CELL = 6

/**
 * SVG definitions that paint each category: its colour with its texture. Put it inside the <svg> that uses it and fill
 * shapes with `url(#…)` of `patternId(prefix, category)`; the prefix keeps two charts on one page apart.
 */
export function CategoryPatterns({ prefix }: { prefix: string }) {
  return (
    <defs>
      {CATEGORY_ORDER.map((view) => (
        <pattern
          key={view.category}
          id={patternId(prefix, view.category)}
          width={CELL}
          height={CELL}
          patternUnits="userSpaceOnUse"
        >
          <rect width={CELL} height={CELL} fill={view.color} />
          <PatternInk pattern={view.pattern} cells={1} />
        </pattern>
      ))}
    </defs>
  )
}

/** The texture alone, over `cells` × `cells` repeats, in the colour of the surface so that it reads in both themes. */
export function PatternInk({ pattern, cells }: { pattern: CategoryPattern; cells: number }) {
  if (pattern === 'solid') return null
  const squares = Array.from({ length: cells * cells }, (_, index) => ({
    x: (index % cells) * CELL,
    y: Math.floor(index / cells) * CELL,
  }))
  return (
    <g stroke="var(--surface)" fill="none" strokeOpacity={pattern === 'hatched' ? 0.75 : 0.38}>
      {squares.map(({ x, y }) => (
        <path
          key={`${x} ${y}`}
          d={STROKES[pattern]}
          transform={`translate(${x} ${y})`}
          strokeWidth={pattern === 'dots' ? 1.6 : pattern === 'hatched' ? 1.5 : 1}
          strokeLinecap={pattern === 'dots' ? 'round' : 'butt'}
        />
      ))}
    </g>
  )
}

/** One repeat of each texture on a 6 × 6 cell; diagonals overlap the corners so that repeats join. */
const STROKES: { readonly [P in Exclude<CategoryPattern, 'solid'>]: string } = {
  rising: 'M-1 7 7 -1M-1 1 1 -1M5 7 7 5',
  falling: 'M-1 -1 7 7M5 -1 7 1M-1 5 1 7',
  dots: 'M1.5 1.5h0M4.5 4.5h0',
  lines: 'M0 3h6',
  bars: 'M3 0v6',
  hatched: 'M-1 7 7 -1M-1 1 1 -1M5 7 7 5',
}
