'use client'

import dynamic from 'next/dynamic'
import { useEffect } from 'react'
import { Dialog } from '@/components/ui/dialog'
import { EarlyField } from './early-typing'
import { useShell } from './shell-state'

const load = () => import('./palette-content').then((module) => module.PaletteContent)

const PaletteContent = dynamic(load, { ssr: false, loading: () => <EarlyField /> })

/** The page has had its turn by then, where a browser cannot say when it is idle. Milliseconds. */
const LATER_MS = 2_000

/** Find a session, a screen or an action; loaded when the page has nothing else to do. */
export function Palette() {
  const shell = useShell()
  // The outside system is the browser, which says when it is idle. What fails now is loaded when it is asked for.
  useEffect(() => whenIdle(() => load().catch(() => undefined)), [])
  return (
    <Dialog open={shell.overlay === 'palette'} onClose={shell.hide} title="Find" shape="palette">
      <PaletteContent close={shell.hide} />
    </Dialog>
  )
}

function whenIdle(work: () => unknown): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const later = setTimeout(work, LATER_MS)
    return () => clearTimeout(later)
  }
  const idle = requestIdleCallback(work)
  return () => cancelIdleCallback(idle)
}
