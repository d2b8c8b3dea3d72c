import type { Category } from '@/lib/core/tokens/category'
import { CATEGORY_VIEWS } from '@/lib/view/charts/category'
import { Term } from '../ui/term'
import { CategorySwatch } from './category-swatch'

/** Names beside the colours and patterns of a chart, each with a figure where there is one. */
export function CategoryLegend({
  items,
}: {
  items: readonly { readonly category: Category; readonly value?: string }[]
}) {
  return (
    <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-label">
      {items.map(({ category, value }) => (
        <li key={category} className="inline-flex items-center gap-1.5 whitespace-nowrap">
          <CategorySwatch category={category} />
          {category === 'residual' ? (
            <Term id="residual">{CATEGORY_VIEWS[category].label}</Term>
          ) : (
            CATEGORY_VIEWS[category].label
          )}
          {value !== undefined && <span className="tnum text-muted">{value}</span>}
        </li>
      ))}
    </ul>
  )
}
