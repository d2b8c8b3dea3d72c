import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { TranscriptView } from '@/components/session/transcript-view'
import { getSessionSummary } from '@/lib/server/session/session-page'
import { entryNumber } from '@/lib/view/session/session-selection'

export const metadata: Metadata = { title: 'Transcript' }

export default async function TranscriptPage({
  params,
  searchParams,
}: PageProps<'/sessions/[id]/transcript'>) {
  const { id } = await params
  const { entry, find } = await searchParams
  const summary = await getSessionSummary(id)
  if (!summary) notFound()
  return (
    <TranscriptView
      key={id}
      initial={summary}
      selection={{ entry: entryNumber(entry), find: typeof find === 'string' ? find : '' }}
    />
  )
}
