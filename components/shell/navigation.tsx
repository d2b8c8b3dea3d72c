'use client'

import { usePathname } from 'next/navigation'
import { type ReactNode, useEffect, useRef } from 'react'
import { classes } from '@/components/ui/classes'
import {
  ActivityGlyph,
  AuditGlyph,
  ColdGlyph,
  FindingsGlyph,
  HelpGlyph,
  JobsGlyph,
  MemoryGlyph,
  OverviewGlyph,
  PoliciesGlyph,
  SessionsGlyph,
  StoresGlyph,
} from '@/components/ui/glyphs'
import { PlimsollMark } from '@/components/ui/mark'
import { PageLink } from '@/components/ui/page-link'
import { SCREENS, type Screen, screenOf } from '@/lib/view/shell/navigation'

const GLYPHS: { readonly [H in Screen['href']]: ReactNode } = {
  '/': <OverviewGlyph />,
  '/sessions': <SessionsGlyph />,
  '/findings': <FindingsGlyph />,
  '/policies': <PoliciesGlyph />,
  '/cold-storage': <ColdGlyph />,
  '/activity': <ActivityGlyph />,
  '/memory': <MemoryGlyph />,
  '/stores': <StoresGlyph />,
  '/audit': <AuditGlyph />,
  '/jobs': <JobsGlyph />,
  '/help': <HelpGlyph />,
}

/** The screens, at the left edge; at the lower edge on narrow screens. */
export function Navigation() {
  const current = screenOf(usePathname())
  const list = useRef<HTMLUListElement>(null)
  // The outside system is the scroll position: where not all screens fit, the one that is open is in sight.
  useEffect(() => {
    if (current === null) return
    const row = list.current
    const link = row?.querySelector<HTMLElement>('[aria-current="page"]')
    if (row && link) row.scrollLeft = link.offsetLeft + link.offsetWidth / 2 - row.clientWidth / 2
  }, [current])
  return (
    <nav
      aria-label="Screens"
      className={classes(
        'fixed inset-x-0 bottom-0 z-20 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)]',
        'md:inset-y-0 md:right-auto md:w-(--nav-width) md:flex-col md:border-t-0 md:border-r md:pb-0',
      )}
    >
      <PageLink
        href="/"
        className="hidden h-(--bar-height) items-center gap-2 border-b border-line px-4 text-title font-semibold md:flex"
      >
        <PlimsollMark size={22} className="text-accent" />
        Plimsoll
      </PageLink>
      <ul ref={list} className="relative flex flex-1 overflow-x-auto md:flex-col md:gap-0.5 md:p-2">
        {SCREENS.map((screen) => {
          const active = current?.href === screen.href
          return (
            <li
              key={screen.href}
              className={classes('flex-1 md:flex-none', screen.inTopBar && 'hidden md:list-item')}
            >
              <PageLink
                href={screen.href}
                aria-current={active ? 'page' : undefined}
                className={classes(
                  'flex flex-col items-center gap-0.5 px-2 py-2 text-label md:h-8 md:flex-row md:gap-2.5 md:rounded-md md:px-2.5 md:py-0 md:text-table',
                  active
                    ? 'font-medium text-accent md:bg-accent-soft'
                    : 'text-muted hover:bg-inset hover:text-text',
                )}
              >
                {GLYPHS[screen.href]}
                {screen.short === undefined ? (
                  screen.label
                ) : (
                  <>
                    <span aria-hidden="true" className="md:hidden">
                      {screen.short}
                    </span>
                    <span className="sr-only md:not-sr-only">{screen.label}</span>
                  </>
                )}
              </PageLink>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
