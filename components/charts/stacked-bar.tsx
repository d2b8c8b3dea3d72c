import { CategoryPatterns } from '@/components/charts/category-patterns'
import type { Category } from '@/lib/core/tokens/category'
import type { Tokens } from '@/lib/core/units/units'
import { CATEGORY_VIEWS, patternId } from '@/lib/view/charts/category'
import { formatCount, formatPercent } from '@/lib/view/text/format'

/** A part of the bar; `tokens` above 0. */
export type BarPart = { readonly category: Category; readonly tokens: Tokens }

const HEIGHT = 24

/** One call as a bar in stacking order. A part is pressed to filter by its category; small ones keep 2 pixels. */
export function StackedBar({
  parts,
  id,
  selected,
  onSelect,
}: {
  parts: readonly BarPart[]
  /** Prefix of the pattern ids: unique on the page. */
  id: string
  selected: Category | null
  onSelect: (category: Category) => void
}) {
  const total = parts.reduce((sum, part) => sum + part.tokens, 0)
  return (
    <div className="flex h-6 w-full gap-px overflow-hidden rounded-sm">
      <svg width="0" height="0" aria-hidden="true" className="absolute">
        <CategoryPatterns prefix={id} />
      </svg>
      {parts.map(({ category, tokens }) => {
        const label = `${CATEGORY_VIEWS[category].label}: ${formatCount(tokens)} tokens, ${formatPercent(tokens / total)}`
        return (
          <button
            key={category}
            type="button"
            title={label}
            aria-label={label}
            aria-pressed={selected === category}
            onClick={() => onSelect(category)}
            className="min-w-0.5 basis-0 transition-opacity duration-120 focus-visible:-outline-offset-2"
            style={{ flexGrow: tokens, opacity: selected === null || selected === category ? 1 : 0.3 }}
          >
            <svg width="100%" height={HEIGHT} aria-hidden="true" className="block">
              <rect width="100%" height={HEIGHT} fill={`url(#${patternId(id, category)})`} />
            </svg>
          </button>
        )
      })}
    </div>
  )
}
