import { CategorySwatch } from '@/components/charts/category-swatch'
import { type ContextRow, rowKind } from '@/lib/view/session/context-page'
import { formatShort } from '@/lib/view/text/format'
import { visibleLine } from '@/lib/view/text/visible-text'

/** The entries that hold the most, to jump to. */
export function HeaviestStrip({
  rows,
  onJump,
}: {
  rows: readonly ContextRow[]
  onJump: (row: ContextRow) => void
}) {
  return (
    <div className="flex items-center gap-2 overflow-x-auto px-4 pb-2 text-label">
      <span className="text-muted" id="heaviest-label">
        Heaviest
      </span>
      <ul aria-labelledby="heaviest-label" className="flex gap-1">
        {rows.map((row) => (
          <li key={row.order}>
            <button
              type="button"
              onClick={() => onJump(row)}
              title={`Jump to line ${row.line}`}
              className="tnum inline-flex h-6 items-center gap-1.5 rounded-sm border border-line px-1.5 whitespace-nowrap hover:bg-inset"
            >
              <CategorySwatch category={row.category} size={10} />
              <span className="max-w-24 truncate">{visibleLine(rowKind(row))}</span>
              {formatShort(row.tokens)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
