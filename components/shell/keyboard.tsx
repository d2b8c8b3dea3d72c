'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useRef } from 'react'
import { isTyping, useKeys } from '@/components/ui/use-keys'
import { SCREENS } from '@/lib/view/shell/navigation'
import { useShell } from './shell-state'

/** How long after `g` the second key may come, in milliseconds. */
const PAIR_MS = 1_200

/** The keys that work on every page. */
export function Keyboard() {
  const router = useRouter()
  const shell = useShell()
  const goAt = useRef(Number.NEGATIVE_INFINITY)

  useKeys({
    '?': () => shell.show('shortcuts'),
    '/': () => {
      if (!focusFind()) shell.show('palette')
    },
    g: () => {
      goAt.current = performance.now()
    },
  })

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      if (shell.overlay === 'palette') shell.hide()
      else shell.show('palette')
      return
    }
    const waiting = performance.now() - goAt.current < PAIR_MS
    if (!waiting || event.key === 'g' || isTyping(event.target)) return
    goAt.current = Number.NEGATIVE_INFINITY
    const screen = SCREENS.find((candidate) => candidate.key === event.key)
    if (!screen) return
    event.preventDefault()
    event.stopPropagation()
    router.push(screen.href)
  })
  // The outside system is the keyboard. It listens before the page's own keys: the second key of a pair is not theirs.
  useEffect(() => {
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [])
  return null
}

/** Goes to the page's own search field, the first one that says so; false when there is none. */
function focusFind(): boolean {
  const field = document.querySelector<HTMLInputElement>('[data-find]')
  field?.focus()
  field?.select()
  return field !== null
}
