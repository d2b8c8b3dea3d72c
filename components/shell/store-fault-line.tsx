'use client'

import { usePathname } from 'next/navigation'
import { PageLink } from '@/components/ui/page-link'
import type { FileFault } from '@/lib/view/stores/file-faults'
import { formatQuantity } from '@/lib/view/text/format'
import { visibleLine } from '@/lib/view/text/visible-text'

/** The screens where settings of stores are a matter; elsewhere the menu has a dot. */
const PAGES: readonly string[] = ['/stores', '/policies']

/**
 * One line for stores whose settings have a fault. The fault concerns their sessions alone: the pages of those show it in
 * full.
 */
export function StoreFaultLine({ faults }: { faults: readonly FileFault[] }) {
  const pathname = usePathname()
  const [first, ...others] = faults
  if (first === undefined || !PAGES.includes(pathname)) return null
  const label = visibleLine(first.store?.label ?? first.path)
  return (
    <p
      role="status"
      aria-label="Settings of stores with faults"
      className="flex items-baseline gap-2 border-b border-line px-3 py-1 text-label text-muted md:px-4"
    >
      <span className="isolate-text min-w-0 truncate" title={`${first.path}: ${first.message}`}>
        {`The settings file of ${label} has a fault`}
        {others.length > 0 && `, and ${formatQuantity(others.length, 'other file')}`}
      </span>
      <PageLink href={first.href} className="whitespace-nowrap text-accent underline underline-offset-2">
        Fix it
      </PageLink>
    </p>
  )
}
