import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { ContextView } from '@/components/session/context-view'
import { getContextTab, getSessionSummary } from '@/lib/server/session-page'
import { parseSelection } from '@/lib/view/session-selection'

export async function generateMetadata({ params }: PageProps<'/sessions/[id]'>): Promise<Metadata> {
  const summary = await getSessionSummary((await params).id)
  return { title: summary?.head.title ?? 'Session' }
}

export default async function ContextPage({ params, searchParams }: PageProps<'/sessions/[id]'>) {
  const { id } = await params
  const selection = parseSelection(await searchParams)
  const data = await getContextTab(id, selection)
  if (!data) notFound()
  return <ContextView key={id} initial={data} selection={selection} />
}
