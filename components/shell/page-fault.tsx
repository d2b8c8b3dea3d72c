'use client'

import { useRouter } from 'next/navigation'
import { startTransition } from 'react'
import { Button } from '@/components/ui/button'
import { ErrorState } from '@/components/ui/error-state'

/** What a page threw. In production the server keeps the message in its log, and gives the number of it. */
export type PageFaultProps = { readonly error: Error & { digest?: string }; readonly reset: () => void }

/** A fault while a page was made. The rest of the dashboard goes on. */
export function PageFault({ title, error, reset }: PageFaultProps & { readonly title: string }) {
  const router = useRouter()
  // What failed on the server is asked for anew: to draw again what came would fail again.
  const retry = () =>
    startTransition(() => {
      router.refresh()
      reset()
    })
  return (
    <>
      {/* What names the page may have failed as well. */}
      <title>{`${title} · Plimsoll`}</title>
      <ErrorState
        title={title}
        detail={
          error.digest
            ? `A fault on the server. What “plimsoll serve” prints names it with the number ${error.digest}.`
            : error.message
        }
        action={<Button onClick={retry}>Try again</Button>}
      />
    </>
  )
}
