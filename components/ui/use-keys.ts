'use client'

import { useEffect, useEffectEvent } from 'react'

/**
 * A key by its name (`KeyboardEvent.key`), and what it does. Keys pressed with Control, Meta or Alt are not examined.
 */
export type KeyActions = { readonly [key: string]: (event: KeyboardEvent) => void }

/**
 * Single keys for the whole page, while it shows. They rest while the reader types, while a dialog is open, and when
 * something else has taken the key already.
 */
export function useKeys(actions: KeyActions): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    const action = actions[event.key]
    if (!action || isTyping(event.target) || document.querySelector('dialog[open]')) return
    event.preventDefault()
    action(event)
  })
  // The outside system is the keyboard.
  useEffect(() => {
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

/** Whether keys pressed here are text. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLSelectElement) return true
  if (target instanceof HTMLTextAreaElement) return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'range', 'button'].includes(target.type)
}
