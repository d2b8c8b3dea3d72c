'use client'

import { Button } from '@/components/ui/button'
import { ErrorState } from '@/components/ui/error-state'

/** A fault while a page was made. The rest of the dashboard goes on. */
export default function ErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string }
  reset: () => void
}) {
  return (
    <ErrorState
      title="This page could not be made"
      detail={
        error.digest
          ? `A fault on the server; its log names it with the number ${error.digest}.`
          : error.message
      }
      action={<Button onClick={reset}>Try again</Button>}
    />
  )
}
