'use client'

import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ErrorState } from '@/components/ui/error-state'

export default function SessionError({
  error,
  reset,
}: {
  error: Error & { digest?: string }
  reset: () => void
}) {
  return (
    <Card title="Session">
      <ErrorState
        title="This session could not be shown"
        detail={error.message}
        action={<Button onClick={reset}>Try again</Button>}
      />
    </Card>
  )
}
