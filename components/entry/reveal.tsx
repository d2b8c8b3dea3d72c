'use client'

import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { Button } from '@/components/ui/button'
import type { EntryDetail } from '@/lib/view/session/entry-detail'
import { formatQuantity } from '@/lib/view/text/format'
import { entryQuery } from '../session/session-queries'

const Revealed = createContext(false)

/** Whether credentials of the entry around are to be shown. */
export function useRevealed(): boolean {
  return useContext(Revealed)
}

/** Shows the credentials of one entry below it, or covers them. */
export function RevealScope({ revealed, children }: { revealed: boolean; children: ReactNode }) {
  return (
    // What was read covered is read again.
    <Revealed.Provider key={String(revealed)} value={revealed}>
      {children}
    </Revealed.Provider>
  )
}

/**
 * Whether the credentials of an entry are shown, which is not remembered: leaving the entry covers them again. The
 * uncovered texts travel only on request.
 */
export function useReveal(id: string, seq: number) {
  const [asked, setAsked] = useState(false)
  const query = useQuery({ ...entryQuery(id, seq, true), enabled: asked, gcTime: 0 })
  const detail: EntryDetail | null = (asked && query.data) || null
  return {
    /** The entry with its credentials; null while they are covered. */
    detail,
    pending: asked && query.isPending,
    problem: asked && query.isError ? query.error.message : null,
    toggle: () => setAsked(!asked),
  }
}

export type Reveal = ReturnType<typeof useReveal>

/** Says how many credentials are covered, and uncovers them. */
export function RevealButton({
  reveal,
  secrets,
  quiet = false,
}: {
  reveal: Reveal
  secrets: number
  quiet?: boolean
}) {
  const { detail, pending, problem, toggle } = reveal
  const what = secrets === 0 ? 'credentials' : formatQuantity(secrets, 'credential')
  return (
    <Button
      kind={quiet ? 'quiet' : 'plain'}
      aria-pressed={detail !== null}
      title={problem ?? (detail === null ? `${what} covered` : `${what} shown`)}
      disabled={pending}
      onClick={toggle}
      className={quiet ? 'h-6 px-1.5 text-label' : undefined}
    >
      {problem !== null ? 'Not revealed' : detail === null ? `Reveal ${what}` : `Cover ${what}`}
    </Button>
  )
}
