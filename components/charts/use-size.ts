'use client'

import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

export type Size = { readonly width: number; readonly height: number }

/** The size of an element in pixels, kept up to date; null until it is known (on the server, and before the first layout). */
export function useSize<E extends HTMLElement>(): readonly [RefObject<E | null>, Size | null] {
  const ref = useRef<E>(null)
  const [size, setSize] = useState<Size | null>(null)
  // The outside system is the browser's layout.
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element
      setSize((before) => (before?.width === width && before.height === height ? before : { width, height }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, size]
}
