'use client'

import { SignOutGlyph } from '@/components/ui/glyphs'

/** Ends this browser's session and shows the page that begins another. */
export function SignOutButton() {
  return (
    <button
      type="button"
      onClick={() => void signOut()}
      aria-label="Sign out"
      title="Sign out of this browser"
      className="inline-flex h-8 w-8 items-center justify-center rounded-md text-muted hover:bg-inset hover:text-text"
    >
      <SignOutGlyph />
    </button>
  )
}

async function signOut(): Promise<void> {
  await fetch('/sign-out', { method: 'POST' }).catch(() => undefined)
  window.location.assign('/')
}
