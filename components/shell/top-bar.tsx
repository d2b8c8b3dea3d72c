'use client'

import { usePathname } from 'next/navigation'
import { JobsIndicator } from '@/components/jobs/jobs-indicator'
import { LiveIndicator } from '@/components/live/live-indicator'
import { SearchGlyph } from '@/components/ui/glyphs'
import { PlimsollMark } from '@/components/ui/mark'
import { PageLink } from '@/components/ui/page-link'
import type { JobView } from '@/lib/view/jobs/jobs'
import { screenOf } from '@/lib/view/shell/navigation'
import { useShell } from './shell-state'
import { SignOutButton } from './sign-out-button'
import { ThemeMenu } from './theme-menu'

/** Where you are, the palette, what is under way, the theme, and whether what you see is live. */
export function TopBar({ jobs, canSignOut }: { jobs: readonly JobView[]; canSignOut: boolean }) {
  const pathname = usePathname()
  const screen = screenOf(pathname)
  const shell = useShell()
  return (
    <header className="sticky top-0 z-10 flex h-(--bar-height) items-center gap-2 border-b border-line bg-surface px-3 md:px-4">
      <PageLink href="/" aria-label="Plimsoll, overview" className="text-accent md:hidden">
        <PlimsollMark size={22} />
      </PageLink>
      {screen?.href === pathname ? (
        <h1 className="truncate text-title">{screen.label}</h1>
      ) : (
        screen && (
          <PageLink href={screen.href} className="truncate text-title text-muted hover:text-text">
            <span aria-hidden="true">{'‹ '}</span>
            {screen.label}
          </PageLink>
        )
      )}
      <div className="flex-1" />
      <button
        type="button"
        onClick={() => shell.show('palette')}
        aria-keyshortcuts="Control+K Meta+K"
        className="inline-flex h-8 items-center gap-2 rounded-md border border-line px-2.5 text-table text-muted hover:border-line-strong hover:text-text"
      >
        <SearchGlyph />
        <span className="sr-only sm:not-sr-only">Search</span>
        <kbd className="hidden text-label sm:inline">{'⌘\u202fK'}</kbd>
      </button>
      <JobsIndicator initial={jobs} cancel={shell.cancelJob} />
      <LiveIndicator />
      <ThemeMenu />
      {canSignOut && <SignOutButton />}
      <button
        type="button"
        onClick={() => shell.show('shortcuts')}
        aria-label="Keyboard shortcuts and marks"
        title="Keyboard shortcuts and marks (?)"
        className="hidden h-8 w-8 items-center justify-center rounded-md text-muted hover:bg-inset hover:text-text sm:inline-flex"
      >
        ?
      </button>
    </header>
  )
}
