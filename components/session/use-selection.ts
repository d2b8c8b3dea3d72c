'use client'

import { useEffect, useState } from 'react'
import { type ContextSelection, selectionQuery } from '@/lib/view/session-selection'

/** Browsers refuse more than about a hundred changes of the address in half a minute. */
const WRITE_MS = 250

/** What is chosen on the Context tab: changed at once on screen, and a moment later in the address. */
export function useSelection(
  initial: ContextSelection,
): readonly [ContextSelection, (change: Partial<ContextSelection>) => void] {
  const [selection, setSelection] = useState(initial)
  // The outside system is the address bar; the present entry of the history is rewritten, so Back leaves the page.
  useEffect(() => {
    const query = selectionQuery(selection)
    if (query === window.location.search) return
    const timer = setTimeout(() => {
      window.history.replaceState(null, '', `${window.location.pathname}${query}`)
    }, WRITE_MS)
    return () => clearTimeout(timer)
  }, [selection])
  return [selection, (change) => setSelection((before) => ({ ...before, ...change }))]
}
