'use client'

import Link, { useLinkStatus } from 'next/link'
import { type ComponentProps, useRef, useState } from 'react'

/** A pointer or the focus that stays so long means the link; one that passes over a list means none of its rows. */
const DWELL_MS = 60

/**
 * A way to another page. Its whole page is made ready while a pointer or the focus rests on it, so that a press need not
 * wait for it; nothing is asked for before, since the answers to a visit would wait behind those of every link on screen.
 * A link that was pressed is marked until its page is there.
 */
export function PageLink({
  onPointerEnter,
  onPointerLeave,
  onFocus,
  onBlur,
  onClick,
  children,
  ...link
}: ComponentProps<typeof Link>) {
  const [wanted, setWanted] = useState(false)
  const dwell = useRef<ReturnType<typeof setTimeout>>(undefined)

  function come() {
    clearTimeout(dwell.current)
    dwell.current = setTimeout(() => setWanted(true), DWELL_MS)
  }

  function leave() {
    clearTimeout(dwell.current)
    setWanted(false)
  }

  return (
    <Link
      {...link}
      prefetch={wanted}
      onClick={(event) => {
        // What is asked for now need not be made ready besides.
        clearTimeout(dwell.current)
        onClick?.(event)
      }}
      onPointerEnter={(event) => {
        come()
        onPointerEnter?.(event)
      }}
      onPointerLeave={(event) => {
        leave()
        onPointerLeave?.(event)
      }}
      onFocus={(event) => {
        come()
        onFocus?.(event)
      }}
      onBlur={(event) => {
        leave()
        onBlur?.(event)
      }}
    >
      {children}
      <Pending />
    </Link>
  )
}

/** Marks the link in which it is for as long as its page is on its way; `globals.css` says how that looks. */
function Pending() {
  const { pending } = useLinkStatus()
  return pending ? <span hidden data-pending /> : null
}
