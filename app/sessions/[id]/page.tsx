import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { after } from 'next/server'
import { ContextTab } from '@/components/session/context-view'
import { getSessionPolicy } from '@/lib/server/policy/session-policy'
import { getRevision } from '@/lib/server/process/revision'
import { prepareContext } from '@/lib/server/session/session-context'
import { getContextTab, getSessionSummary } from '@/lib/server/session/session-page'
import { parseSelection } from '@/lib/view/session/session-selection'

export async function generateMetadata({ params }: PageProps<'/sessions/[id]'>): Promise<Metadata> {
  const summary = await getSessionSummary((await params).id)
  return { title: summary?.head.title ?? 'Session' }
}

export default async function ContextPage({ params, searchParams }: PageProps<'/sessions/[id]'>) {
  const { id } = await params
  const selection = parseSelection(await searchParams)
  const asOf = await getRevision()
  const [data, policy] = await Promise.all([getContextTab(id, selection), getSessionPolicy(id)])
  if (!data || !policy) notFound()
  // The page asks for it as soon as it is there; reading a long session takes longer than that.
  after(() => prepareContext(id, selection.call))
  return <ContextTab key={id} initial={data} policy={policy} selection={selection} asOf={asOf} />
}
