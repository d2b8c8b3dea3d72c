'use client'

import Link from 'next/link'
import { type ComponentProps, useState } from 'react'

/**
 * A way to another page, prepared when a pointer or the keyboard reaches it. Left to itself the framework
 * asks for every page that a screen names, and the answers to a visit wait behind some fifteen others.
 */
export function PageLink({ onPointerEnter, onFocus, ...link }: ComponentProps<typeof Link>) {
  const [wanted, setWanted] = useState(false)
  return (
    <Link
      {...link}
      // `null` is the framework's own way of preparing, `false` none at all.
      prefetch={wanted ? null : false}
      onPointerEnter={(event) => {
        setWanted(true)
        onPointerEnter?.(event)
      }}
      onFocus={(event) => {
        setWanted(true)
        onFocus?.(event)
      }}
    />
  )
}
