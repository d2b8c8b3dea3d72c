import { AlertGlyph } from '@/components/ui/glyphs'
import { PageLink } from '@/components/ui/page-link'
import type { FileFault } from '@/lib/view/stores/file-faults'
import { formatQuantity } from '@/lib/view/text/format'

/** Says which configuration files cannot be read, where the fault is, and where it can be fixed. */
export function FaultBanner({ faults }: { faults: readonly FileFault[] }) {
  if (faults.length === 0) return null
  return (
    <ul
      role="alert"
      aria-label="Configuration files with faults"
      className="border-b border-line bg-danger-soft px-3 py-1.5 text-table md:px-4"
    >
      {faults.map(({ path, place, message, more, href }) => (
        <li key={path} className="flex items-start gap-2">
          <span className="mt-0.5 text-danger">
            <AlertGlyph />
          </span>
          <span className="min-w-0">
            <code className="isolate-text break-all">{path}</code>
            {place !== null && `, ${place}`}
            {': '}
            <span className="isolate-text">{message}</span>
            {more > 0 && ` (and ${formatQuantity(more, 'more fault')})`}
            {'. Defaults are used for what cannot be read. '}
            <PageLink href={href} className="whitespace-nowrap text-accent underline underline-offset-2">
              Fix it
            </PageLink>
          </span>
        </li>
      ))}
    </ul>
  )
}
