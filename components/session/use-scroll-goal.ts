'use client'

import type { Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useState } from 'react'

/** What a reader does to scroll by hand. */
const HANDS = ['wheel', 'touchmove', 'pointerdown'] as const

export type ScrollGoal = { readonly index: number; readonly align: 'auto' | 'center' | 'start' }

/** The goal is reached when no height has changed for so long. */
const QUIET_MS = 1_000

/**
 * Scrolls to a row of a list whose heights are not known yet: whenever they change, it goes there again, until all is
 * quiet or the reader scrolls.
 */
export function useScrollGoal({
  rows,
  area,
  initial,
  isRead,
}: {
  rows: Virtualizer<HTMLElement, Element>
  area: RefObject<HTMLElement | null>
  initial: ScrollGoal | null
  /** Whether a row is there yet: until then its height is a guess. */
  isRead: (index: number) => boolean
}): (goal: ScrollGoal) => void {
  const [goal, setGoal] = useState(initial)
  const height = rows.getTotalSize()
  const read = goal !== null && isRead(goal.index)
  // The outside system is the scroll area.
  useEffect(() => {
    if (goal && height > 0) rows.scrollToIndex(goal.index, { align: goal.align })
  }, [goal, height, rows])
  useEffect(() => {
    if (!read || height === 0) return
    const timer = setTimeout(() => setGoal(null), QUIET_MS)
    return () => clearTimeout(timer)
  }, [read, height])
  useEffect(() => {
    const element = area.current
    if (!goal || !element) return
    const giveUp = () => setGoal(null)
    for (const event of HANDS) element.addEventListener(event, giveUp)
    return () => {
      for (const event of HANDS) element.removeEventListener(event, giveUp)
    }
  }, [goal, area])
  return setGoal
}
