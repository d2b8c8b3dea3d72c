'use client'

import { useEffect, useEffectEvent } from 'react'
import { scrubbedTo } from '@/lib/view/session/scrub'

/** What the keyboard is at that has no use for arrow keys: the page itself, buttons and links. */
const WITHOUT_ARROWS = 'body, button, a'

/**
 * ← and → step through the calls wherever the reader is on the page, unless what has the focus uses them itself: a field,
 * a slider, an area that scrolls, a dialog.
 */
export function useCallKeys(call: number, calls: number, onStep: (call: number) => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    if (!(event.target instanceof Element) || !event.target.matches(WITHOUT_ARROWS)) return
    if (calls === 0 || document.querySelector('dialog[open]')) return
    const target = scrubbedTo(event.key, { call, calls, shift: event.shiftKey })
    if (target === null) return
    event.preventDefault()
    if (target !== call) onStep(target)
  })
  // The outside system is the keyboard.
  useEffect(() => {
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
