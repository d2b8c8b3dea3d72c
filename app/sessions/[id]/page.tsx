import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { after } from 'next/server'
import { ContextView } from '@/components/session/context-view'
import { prepareContext } from '@/lib/server/session-context'
import { getContextTab, getSessionSummary } from '@/lib/server/session-page'
import { getSessionPolicy } from '@/lib/server/session-policy'
import { parseSelection } from '@/lib/view/session-selection'

export async function generateMetadata({ params }: PageProps<'/sessions/[id]'>): Promise<Metadata> {
  const summary = await getSessionSummary((await params).id)
  return { title: summary?.head.title ?? 'Session' }
}

export default async function ContextPage({ params, searchParams }: PageProps<'/sessions/[id]'>) {
  const { id } = await params
  const selection = parseSelection(await searchParams)
  const [data, policy] = await Promise.all([getContextTab(id, selection), getSessionPolicy(id)])
  if (!data || !policy) notFound()
  // The page asks for it as soon as it is there; reading a long session takes longer than that.
  after(() => prepareContext(id, selection.call))
  return <ContextView key={id} initial={data} policy={policy} selection={selection} />
}
