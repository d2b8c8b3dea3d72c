import { PatternInk } from '@/components/charts/category-patterns'
import { REGIONS } from '@/lib/core/budget/regions'
import { REGION_VIEWS, type Region } from '@/lib/view/policy/policy-ratio'

const CELL = 6

/** Id of the SVG pattern that paints a region, as `<RegionPatterns prefix>` defines it. */
export function regionPattern(prefix: string, region: Region): string {
  return `${prefix}-region-${region}`
}

/** SVG definitions that paint each region: its colour with its texture. */
export function RegionPatterns({ prefix }: { prefix: string }) {
  return (
    <defs>
      {REGIONS.map((region) => (
        <pattern
          key={region}
          id={regionPattern(prefix, region)}
          width={CELL}
          height={CELL}
          patternUnits="userSpaceOnUse"
        >
          <rect width={CELL} height={CELL} fill={REGION_VIEWS[region].color} />
          <PatternInk pattern={REGION_VIEWS[region].pattern} cells={1} />
        </pattern>
      ))}
    </defs>
  )
}

/** The look of a region as a small square, beside its name. */
export function RegionSwatch({ region, prefix }: { region: Region; prefix: string }) {
  return (
    <svg width="12" height="12" aria-hidden="true" className="shrink-0 rounded-sm">
      <rect width="12" height="12" fill={`url(#${regionPattern(prefix, region)})`} />
    </svg>
  )
}
