'use client'

import { AlertGlyph } from '@/components/ui/glyphs'
import { useLive } from './use-live'

/** Says that the session has ended, and leads to the page that begins another, at this very address. */
export function SignedOutBanner() {
  if (useLive().status !== 'signed-out') return null
  return (
    <p
      role="alert"
      className="flex items-start gap-2 border-b border-line bg-danger-soft px-3 py-1.5 text-table md:px-4"
    >
      <span className="mt-0.5 text-danger">
        <AlertGlyph />
      </span>
      <span className="min-w-0">
        {'You are signed out. What you see is old, and nothing can be changed. '}
        <button
          type="button"
          onClick={() => window.location.reload()}
          className="text-accent underline underline-offset-2"
        >
          Sign in again
        </button>
      </span>
    </p>
  )
}
