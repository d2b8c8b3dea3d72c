import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { TranscriptView } from '@/components/session/transcript-view'
import { getSessionSummary } from '@/lib/server/session/session-page'
import { getEntryAtLine } from '@/lib/server/session/session-transcript'
import { entryNumber, wholeNumber } from '@/lib/view/session/session-selection'

export const metadata: Metadata = { title: 'Transcript' }

export default async function TranscriptPage({
  params,
  searchParams,
}: PageProps<'/sessions/[id]/transcript'>) {
  const { id } = await params
  const { entry, line, find } = await searchParams
  const summary = await getSessionSummary(id)
  if (!summary) notFound()
  const [named, at] = [entryNumber(entry), wholeNumber(line)]
  // What names a line of the file leads to the entry in it.
  const seq = named ?? (at === null ? null : await getEntryAtLine(id, at))
  return (
    <TranscriptView
      key={id}
      initial={summary}
      selection={{ entry: seq, find: typeof find === 'string' ? find : '' }}
    />
  )
}
