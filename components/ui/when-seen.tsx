'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'

/** How far outside the screen something counts as about to be seen. */
const MARGIN = '120px'

/** Makes its content when it first comes into view, and keeps it. Until then `before` holds the place. */
export function WhenSeen({ before, children }: { before: ReactNode; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)
  // The outside system is the browser's layout, which alone knows what is on the screen.
  useEffect(() => {
    if (!place.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setSeen(true)
      },
      { rootMargin: MARGIN },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return seen ? children : <div ref={place}>{before}</div>
}
