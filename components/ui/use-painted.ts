'use client'

import { useEffect, useState, useTransition } from 'react'

/**
 * False while the first picture of a part is made, true with a frame after it was painted: what is in sight comes first,
 * and what lies beyond it then, in pieces that let clicks and keys through.
 * @param at true where it need not wait, as on a page that the server made whole
 */
export function usePainted(at = false): boolean {
  const [painted, setPainted] = useState(at)
  const [, begin] = useTransition()
  // The outside system is the screen: what is in sight is painted before the rest is made.
  useEffect(() => {
    if (painted) return
    const frame = requestAnimationFrame(() => begin(() => setPainted(true)))
    return () => cancelAnimationFrame(frame)
  }, [painted])
  return painted
}
