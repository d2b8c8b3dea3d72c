'use client'

import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './button'
import { classes } from './classes'
import { CrossGlyph } from './glyphs'

/**
 * A modal on the browser's own <dialog>: focus is trapped, Escape closes, focus returns to where it was. As a `sheet`
 * it is at the right edge, at the bottom on narrow screens; as a `palette` near the top, its title only spoken; `wide`
 * is for comparisons.
 */
export function Dialog({
  open,
  onClose,
  title,
  shape = 'centre',
  children,
}: {
  open: boolean
  onClose: () => void
  title: string
  shape?: 'centre' | 'wide' | 'sheet' | 'palette'
  children: ReactNode
}) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // The outside system is the browser's modal state, which is not an attribute that can be rendered.
  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    if (open && !dialog.open) {
      dialog.showModal()
      dialog.querySelector<HTMLElement>('[data-first-focus]')?.focus()
    }
    if (!open && dialog.open) dialog.close()
  }, [open])
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onClose={onClose}
      closedby="any"
      className={classes(
        'floating p-0 text-text',
        shape === 'centre' && 'm-auto max-h-[85dvh] w-[min(640px,calc(100vw-24px))]',
        shape === 'wide' && 'm-auto max-h-[90dvh] w-[min(1200px,calc(100vw-24px))]',
        shape === 'palette' && 'mx-auto mt-[10dvh] mb-auto w-[min(640px,calc(100vw-24px))]',
        shape === 'sheet' &&
          'mt-auto mr-0 mb-0 ml-auto h-auto max-h-[85dvh] w-full max-w-full md:mt-0 md:h-dvh md:max-h-dvh md:w-[min(480px,90vw)] md:rounded-none',
      )}
    >
      {shape === 'palette' ? (
        <>
          <h2 id={titleId} className="sr-only">
            {title}
          </h2>
          {open && <div className="p-2">{children}</div>}
          {/* Last, so that the focus goes to what is asked for. */}
          <Button kind="quiet" onClick={onClose} className="sr-only focus:not-sr-only">
            Close
          </Button>
        </>
      ) : (
        <>
          <div className="flex items-center justify-between gap-2 border-b border-line py-2 pr-2 pl-4">
            <h2 id={titleId} className="text-title">
              {title}
            </h2>
            <Button kind="quiet" onClick={onClose} aria-label="Close">
              <CrossGlyph />
            </Button>
          </div>
          {open && <div className="overflow-y-auto p-4">{children}</div>}
        </>
      )}
    </dialog>
  )
}
