'use client'

import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '@/components/ui/error-state'
import { Skeleton } from '@/components/ui/skeleton'
import { entryQuery } from '../session/session-queries'
import { LongText } from './long-text'
import { useRevealed } from './reveal'

/** The line of an entry as it is in the file, read on request. */
export function RawEntryLine({ id, seq }: { id: string; seq: number }) {
  const query = useQuery(entryQuery(id, seq, useRevealed()))
  if (query.isError) return <ErrorState title="This line cannot be shown" detail={query.error.message} />
  if (!query.data) return <Skeleton className="mt-1 h-16 w-full" />
  return (
    <div className="mt-1 rounded-md bg-inset p-2" data-testid="raw-line">
      <LongText id={id} seq={seq} block={null} text={query.data.raw} chars={query.data.rawChars} mono />
    </div>
  )
}
