'use client'

import { useLinkStatus } from 'next/link'
import { usePathname } from 'next/navigation'
import { type ReactNode, useEffect, useRef } from 'react'
import { formatCount } from '@/lib/view/text/format'
import { classes } from './classes'
import { PageLink } from './page-link'

export type Tab = {
  readonly href: string
  readonly label: string
  readonly count?: number
  /** Has what the page needs made ready; called when the reader is about to go there. */
  readonly onNear?: () => void
}

/**
 * Tabs that are pages: each has its own address, so Back and sharing work. One that was pressed looks it at once, however
 * long its page takes.
 */
export function LinkTabs({ tabs, label }: { tabs: readonly Tab[]; label: string }) {
  const pathname = usePathname()
  const row = useRef<HTMLElement>(null)
  // The outside system is the scroll position: where not all tabs fit, the one that is open is in sight.
  useEffect(() => {
    const link = row.current?.querySelector<HTMLElement>(`[href="${pathname}"]`)
    if (row.current && link)
      row.current.scrollLeft = link.offsetLeft + link.offsetWidth / 2 - row.current.clientWidth / 2
  }, [pathname])
  return (
    <nav
      ref={row}
      aria-label={label}
      className="group/tabs relative flex gap-1 overflow-x-auto border-b border-line"
    >
      {tabs.map((tab) => {
        const current = tab.href.split('?')[0] === pathname
        return (
          <PageLink
            key={tab.href}
            href={tab.href}
            aria-current={current ? 'page' : undefined}
            onPointerEnter={tab.onNear}
            onFocus={tab.onNear}
            className="-mb-px whitespace-nowrap"
          >
            <TabFace current={current}>
              {tab.label}
              {tab.count !== undefined && (
                <span className="tnum ml-1.5 text-muted">{formatCount(tab.count)}</span>
              )}
            </TabFace>
          </PageLink>
        )
      })}
    </nav>
  )
}

function TabFace({ current, children }: { current: boolean; children: ReactNode }) {
  const { pending } = useLinkStatus()
  return (
    <span
      className={classes(
        'block border-b-2 px-3 py-2 text-table',
        pending && 'border-accent font-medium',
        !pending && !current && 'border-transparent text-muted hover:text-text',
        // While another one is on its way, this one is no longer it.
        !pending &&
          current &&
          'border-accent font-medium group-has-[[data-pending]]/tabs:border-transparent group-has-[[data-pending]]/tabs:text-muted',
      )}
    >
      {children}
    </span>
  )
}
