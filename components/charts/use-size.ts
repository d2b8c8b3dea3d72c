'use client'

import { type RefObject, useEffect, useRef, useState } from 'react'

export type Size = { readonly width: number; readonly height: number }

/**
 * The size of an element in pixels, kept up to date; null until it is known: on the server, and in the first picture of a
 * page. What depends on it is drawn with the next one, so that no page waits for its charts, nor is laid out twice.
 */
export function useSize<E extends HTMLElement>(): readonly [RefObject<E | null>, Size | null] {
  const ref = useRef<E>(null)
  const [size, setSize] = useState<Size | null>(null)
  // The outside system is the browser's layout.
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element
      setSize((before) => (before?.width === width && before.height === height ? before : { width, height }))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, size]
}
