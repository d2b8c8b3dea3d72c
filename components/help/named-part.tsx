'use client'

import { useEffect } from 'react'

/**
 * Goes to the part of the help that the address names, which was not there yet when the page was gone to. In a page that
 * the server made the browser has done so already.
 */
export function NamedPart() {
  // The outside systems are the address and the scroll position.
  useEffect(() => {
    const { hash } = window.location
    if (hash !== '') document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView()
  }, [])
  return null
}
