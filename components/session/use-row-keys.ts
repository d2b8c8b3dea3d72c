'use client'

import type { RefObject } from 'react'
import { useKeys } from '@/components/ui/use-keys'

/** Frames that a row gets to appear after the list was scrolled to it. */
const FRAMES = 30

/**
 * `j` and `k` move through the rows of a virtual list and put the focus on what opens the row, so that Enter does. Rows
 * say who they are with `data-row`, and what opens them with `data-open`.
 */
export function useRowKeys({
  area,
  count,
  active,
  onMove,
}: {
  area: RefObject<HTMLElement | null>
  count: number
  /** The row that the reader is at; null before the first key. */
  active: number | null
  onMove: (index: number) => void
}): void {
  function move(index: number) {
    if (count === 0) return
    const to = Math.min(count - 1, Math.max(0, index))
    onMove(to)
    focusRow(area, to, FRAMES)
  }
  useKeys({
    j: () => move((active ?? -1) + 1),
    k: () => move((active ?? 1) - 1),
  })
}

function focusRow(area: RefObject<HTMLElement | null>, index: number, frames: number): void {
  const opener = area.current?.querySelector<HTMLElement>(`[data-row="${index}"] [data-open]`)
  if (opener) opener.focus({ preventScroll: true })
  else if (frames > 0) requestAnimationFrame(() => focusRow(area, index, frames - 1))
}
