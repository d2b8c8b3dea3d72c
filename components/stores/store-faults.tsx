import { AlertGlyph } from '@/components/ui/glyphs'
import { PageLink } from '@/components/ui/page-link'
import type { StoreFault } from '@/lib/view/stores/store-faults'

/** Stores that cannot be read or judged, a sentence each that leads to the store. */
export function StoreFaults({ faults }: { faults: readonly StoreFault[] }) {
  if (faults.length === 0) return null
  return (
    <ul
      aria-label="Stores with faults"
      className="rounded-card border border-line bg-attention-soft px-4 py-1"
    >
      {faults.map(({ storeId, title, words, href }) => (
        <li key={storeId} className="flex items-start gap-2 py-1 text-table">
          <span className="mt-0.5 shrink-0 text-attention">
            <AlertGlyph />
          </span>
          <span className="isolate-text max-w-[100ch] min-w-0 break-words">
            <PageLink href={href} className="font-medium text-accent underline underline-offset-2">
              {title}
            </PageLink>
            {` ${words}`}
          </span>
        </li>
      ))}
    </ul>
  )
}
