import { CategorySwatch } from '@/components/charts/category-swatch'
import { Table, Td, Th, Tr } from '@/components/ui/table'
import { CATEGORIES } from '@/lib/core/tokens/category'
import { CATEGORY_VIEWS } from '@/lib/view/charts/category'
import type { DaysView } from '@/lib/view/overview/days'
import { formatCount } from '@/lib/view/text/format'

/** The table twin of the chart by day: newest day first, days without a call left out. */
export function DaysTable({ view }: { view: DaysView }) {
  const columns = view.columns.filter((column) => column.calls > 0).reverse()
  return (
    <Table caption="Tokens sent by day and category">
      <thead>
        <tr>
          <Th>Day (UTC)</Th>
          <Th numeric>Calls</Th>
          <Th numeric>Tokens</Th>
          {view.categories.map((category) => (
            <Th key={category} numeric>
              <span className="inline-flex items-center gap-1.5">
                <CategorySwatch category={category} size={10} />
                {CATEGORY_VIEWS[category].label}
              </span>
            </Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {columns.map((column) => (
          <Tr key={column.day}>
            <Th scope="row" className="tnum whitespace-nowrap">
              {column.day}
            </Th>
            <Td numeric>{formatCount(column.calls)}</Td>
            <Td numeric>{formatCount(column.total)}</Td>
            {view.categories.map((category) => (
              <Td key={category} numeric>
                {formatCount(column.categories[CATEGORIES.indexOf(category)] ?? 0)}
              </Td>
            ))}
          </Tr>
        ))}
      </tbody>
    </Table>
  )
}
