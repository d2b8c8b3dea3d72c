'use client'

import { useEffect, useState } from 'react'
import { writeQuerySoon } from '@/components/ui/write-query'
import { type ContextSelection, selectionQuery } from '@/lib/view/session/session-selection'

/** What is chosen on the Context tab: changed at once on screen, and a moment later in the address. */
export function useSelection(
  initial: ContextSelection,
): readonly [ContextSelection, (change: Partial<ContextSelection>) => void] {
  const [selection, setSelection] = useState(initial)
  // The outside system is the address bar; the present entry of the history is rewritten, so Back leaves the page.
  useEffect(() => {
    const query = selectionQuery(selection)
    return writeQuerySoon(query)
  }, [selection])
  return [selection, (change) => setSelection((before) => ({ ...before, ...change }))]
}
