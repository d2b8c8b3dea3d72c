'use client'

import { createContext, type ReactNode, useContext } from 'react'

/** When the server rendered this page, in milliseconds; what relative times refer to until the page is live. */
const RenderTime = createContext<number>(0)

export function RenderTimeProvider({ at, children }: { at: number; children: ReactNode }) {
  return <RenderTime value={at}>{children}</RenderTime>
}

export function useRenderTime(): number {
  return useContext(RenderTime)
}

/** Names what a server snapshot means by "now". */
export function nowOnServer(renderedAt: number): number {
  return renderedAt
}

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | null = null

/** One clock for the whole page: ticks each second while anything shows a relative time. */
export function subscribeToNow(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const notify of listeners) notify()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
  }
}
