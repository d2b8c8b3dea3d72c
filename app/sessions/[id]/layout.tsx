import { notFound } from 'next/navigation'
import { SessionFrame } from '@/components/session/session-frame'
import { getSessionSummary } from '@/lib/server/session-page'

export default async function SessionLayout({ children, params }: LayoutProps<'/sessions/[id]'>) {
  const { id } = await params
  const summary = await getSessionSummary(id)
  if (!summary) notFound()
  return (
    <SessionFrame key={id} initial={summary}>
      {children}
    </SessionFrame>
  )
}
