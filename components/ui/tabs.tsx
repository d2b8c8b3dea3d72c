'use client'

import { usePathname } from 'next/navigation'
import { classes } from './classes'
import { PageLink } from './page-link'

export type Tab = { readonly href: string; readonly label: string; readonly count?: number }

/** Tabs that are pages: each has its own address, so Back and sharing work. */
export function LinkTabs({ tabs, label }: { tabs: readonly Tab[]; label: string }) {
  const pathname = usePathname()
  return (
    <nav aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map((tab) => {
        const current = tab.href.split('?')[0] === pathname
        return (
          <PageLink
            key={tab.href}
            href={tab.href}
            aria-current={current ? 'page' : undefined}
            className={classes(
              '-mb-px border-b-2 px-3 py-2 text-table whitespace-nowrap',
              current ? 'border-accent font-medium' : 'border-transparent text-muted hover:text-text',
            )}
          >
            {tab.label}
            {tab.count !== undefined && <span className="tnum ml-1.5 text-muted">{tab.count}</span>}
          </PageLink>
        )
      })}
    </nav>
  )
}
