import { classes } from '@/components/ui/classes'
import { SortGlyph } from '@/components/ui/glyphs'
import type { ContextChoice, ContextSort } from '@/lib/view/session/context-rows'

/** Headings of the list; order, tokens and age sort it. On narrow screens time and content are in the part's cell. */
export function ContextHeader({
  choice,
  narrow,
  onSort,
}: {
  choice: ContextChoice
  narrow: boolean
  onSort: (sort: ContextSort) => void
}) {
  const heading = (sort: ContextSort, label: string) => (
    <button
      type="button"
      onClick={() => onSort(sort)}
      className={classes(
        'inline-flex items-center gap-0.5 rounded-sm hover:text-text',
        choice.sort === sort && 'text-text',
      )}
    >
      {label}
      {choice.sort === sort && <SortGlyph direction={choice.descending ? 'desc' : 'asc'} />}
    </button>
  )
  const sorted = (sort: ContextSort) =>
    choice.sort !== sort ? 'none' : choice.descending ? 'descending' : 'ascending'
  return (
    <thead className="sticky top-0 z-1 bg-surface text-label text-muted shadow-[0_1px_0_var(--line)]">
      <tr className="h-7 [&>th]:font-medium">
        <th scope="col" aria-sort={sorted('order')} className={classes('pl-4 text-left', !narrow && 'w-20')}>
          {heading('order', narrow ? 'Order' : 'Time')}
        </th>
        {!narrow && (
          <>
            <th scope="col" className="w-36 px-2 text-left">
              Part
            </th>
            <th scope="col" className="px-2 text-left">
              Content
            </th>
          </>
        )}
        <th scope="col" aria-sort={sorted('tokens')} className="w-20 px-2 text-right">
          {heading('tokens', 'Tokens')}
        </th>
        {!narrow && (
          <th scope="col" className="w-16">
            <span className="sr-only">Size beside the largest</span>
          </th>
        )}
        <th scope="col" aria-sort={sorted('age')} className="w-14 px-2 text-right">
          {heading('age', 'Age')}
        </th>
        <th scope="col" className="w-11">
          <span className="sr-only">Source</span>
        </th>
      </tr>
    </thead>
  )
}
