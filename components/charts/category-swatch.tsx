import type { Category } from '@/lib/core/tokens/category'
import { CATEGORY_VIEWS } from '@/lib/view/charts/category'
import { PatternInk } from './category-patterns'

/** The colour and pattern of a category as a small square, for legends and tables. */
export function CategorySwatch({ category, size = 12 }: { category: Category; size?: number }) {
  const view = CATEGORY_VIEWS[category]
  return (
    <svg width={size} height={size} viewBox="0 0 12 12" aria-hidden="true" className="inline-block shrink-0">
      <rect width="12" height="12" rx="2" fill={view.color} />
      <PatternInk pattern={view.pattern} cells={2} />
    </svg>
  )
}
