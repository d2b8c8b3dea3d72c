'use client'

import { usePathname } from 'next/navigation'
import { type ReactNode, useId, useRef } from 'react'
import { classes } from '@/components/ui/classes'
import {
  ActivityGlyph,
  AuditGlyph,
  ColdGlyph,
  FindingsGlyph,
  HelpGlyph,
  JobsGlyph,
  LabGlyph,
  MemoryGlyph,
  MoreGlyph,
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
  '/lab': <LabGlyph />,
  '/stores': <StoresGlyph />,
  '/audit': <AuditGlyph />,
  '/jobs': <JobsGlyph />,
  '/help': <HelpGlyph />,
}

/**
 * The screens, at the left edge; on narrow screens at the lower edge, the first ones and a way to the others.
 * @param faulty a settings file has a fault: a dot at the screen where it is mended
 */
export function Navigation({ faulty }: { faulty: boolean }) {
  const current = screenOf(usePathname())
  return (
    <nav
      aria-label="Screens"
      className={classes(
        'group/screens fixed inset-x-0 bottom-0 z-20 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)]',
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
      <ul className="flex min-w-0 flex-1 md:flex-col md:gap-0.5 md:p-2">
        {SCREENS.map((screen) => {
          const active = current?.href === screen.href
          return (
            <li
              key={screen.href}
              className={classes('min-w-0 flex-1 md:flex-none', !screen.atHand && 'hidden md:list-item')}
            >
              <PageLink
                href={screen.href}
                aria-current={active ? 'page' : undefined}
                className={classes(
                  PLACE,
                  'md:h-8 md:flex-row md:gap-2.5 md:rounded-md md:px-2.5 md:py-0 md:text-table',
                  PRESSED,
                  active ? CURRENT : 'text-muted hover:bg-inset hover:text-text',
                )}
              >
                {GLYPHS[screen.href]}
                {screen.label}
                {faulty && screen.href === '/policies' && <FaultDot />}
              </PageLink>
            </li>
          )
        })}
        <li className="group/others min-w-0 flex-1 md:hidden">
          <OtherScreens current={current} />
        </li>
      </ul>
    </nav>
  )
}

/** One that was pressed looks it at once, however long its screen takes. */
const PRESSED =
  'has-[[data-pending]]:font-medium has-[[data-pending]]:text-accent md:has-[[data-pending]]:bg-accent-soft'

/** While another one is on its way, this one is no longer it. */
const CURRENT = classes(
  'font-medium text-accent md:bg-accent-soft',
  'group-has-[[data-pending]]/screens:not-has-[[data-pending]]:font-normal',
  'group-has-[[data-pending]]/screens:not-has-[[data-pending]]:text-muted',
  'md:group-has-[[data-pending]]/screens:not-has-[[data-pending]]:bg-transparent',
)

function FaultDot() {
  return (
    <span
      title="A settings file has a fault"
      className="size-2 rounded-full bg-attention max-md:absolute max-md:top-1.5 max-md:right-4 md:ml-auto"
    >
      <span className="sr-only">a settings file has a fault</span>
    </span>
  )
}

/** A place of the bar at the lower edge. */
const PLACE = 'relative flex w-full flex-col items-center gap-0.5 px-1 py-2 text-label'

/** The screens that have no room in the bar of narrow screens. */
function OtherScreens({ current }: { current: Screen | null }) {
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const others = SCREENS.filter((screen) => !screen.atHand)
  const here = others.find((screen) => screen.href === current?.href)
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={here === undefined ? 'More screens' : `More screens, ${here.label} is open`}
        className={classes(
          PLACE,
          // Its list closes with the press; the mark of what was pressed is here.
          'group-has-[[data-pending]]/others:font-medium group-has-[[data-pending]]/others:text-accent',
          here === undefined ? 'text-muted' : 'font-medium text-accent',
        )}
      >
        {here === undefined ? <MoreGlyph /> : GLYPHS[here.href]}
        <span className="max-w-full truncate">{here?.short ?? here?.label ?? 'More'}</span>
      </button>
      <ul
        ref={list}
        id={id}
        popover="auto"
        aria-label="More screens"
        className="floating fixed inset-auto right-2 bottom-16 m-0 w-44 p-1 text-text"
      >
        {others.map((screen) => (
          <li key={screen.href}>
            <PageLink
              href={screen.href}
              aria-current={screen === here ? 'page' : undefined}
              onClick={() => list.current?.hidePopover()}
              className={classes(
                'flex items-center gap-2.5 rounded-sm px-3 py-2.5 text-table hover:bg-inset',
                screen === here && 'font-medium text-accent',
              )}
            >
              {GLYPHS[screen.href]}
              {screen.label}
            </PageLink>
          </li>
        ))}
      </ul>
    </>
  )
}
