'use client'

import type { Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useState } from 'react'

export type ScrollGoal = { readonly index: number; readonly align: 'auto' | 'center' | 'start' }

/** Rows get their true heights as they are read and measured; a goal is given up after this time. */
const SETTLE_MS = 2_000

/**
 * Scrolls to a row of a list whose heights are not known yet: whenever they change, it goes there again, until all is
 * quiet or the reader scrolls.
 */
export function useScrollGoal({
  rows,
  area,
  initial,
}: {
  rows: Virtualizer<HTMLElement, Element>
  area: RefObject<HTMLElement | null>
  initial: ScrollGoal | null
}): (goal: ScrollGoal) => void {
  const [goal, setGoal] = useState(initial)
  const height = rows.getTotalSize()
  // The outside system is the scroll area.
  useEffect(() => {
    if (goal && height > 0) rows.scrollToIndex(goal.index, { align: goal.align })
  }, [goal, height, rows])
  useEffect(() => {
    const element = area.current
    if (!goal || !element) return
    const giveUp = () => setGoal(null)
    const timer = setTimeout(giveUp, SETTLE_MS)
    for (const event of ['wheel', 'touchmove', 'pointerdown'] as const)
      element.addEventListener(event, giveUp)
    return () => {
      clearTimeout(timer)
      for (const event of ['wheel', 'touchmove', 'pointerdown'] as const)
        element.removeEventListener(event, giveUp)
    }
  }, [goal, area])
  return setGoal
}
