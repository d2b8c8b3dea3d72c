'use client'

import { useEffect, useEffectEvent } from 'react'

/** Whether keys belong to what has the focus: something is typed into, or a window lies over the page. */
export function keysAreTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true
  if (document.querySelector('dialog[open]')) return true
  const target = event.target
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)
}

/** `j` and `k` move through the rows of the list, `o` opens the one they are at. */
export function useRowKeys({
  count,
  active,
  onMove,
  onOpen,
}: {
  count: number
  /** The row they are at; null before the first key. */
  active: number | null
  onMove: (index: number) => void
  onOpen: (index: number) => void
}): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (keysAreTaken(event) || count === 0) return
    if (event.key === 'j') onMove(Math.min(count - 1, (active ?? -1) + 1))
    else if (event.key === 'k') onMove(Math.max(0, (active ?? 1) - 1))
    else if (event.key === 'o' && active !== null) onOpen(active)
    else return
    event.preventDefault()
  })
  // The outside system is the keyboard of the page.
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
