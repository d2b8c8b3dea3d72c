import type { Metadata } from 'next'
import { SessionsScreen } from '@/components/sessions/sessions-screen'
import { getSessionFacets, getSessionList } from '@/lib/server/session-list'
import { parseListParams } from '@/lib/view/session-list'

export const metadata: Metadata = { title: 'Sessions' }

export default async function SessionsPage({ searchParams }: PageProps<'/sessions'>) {
  const search = await searchParams
  const params = parseListParams((name) => {
    const value = search[name]
    return (Array.isArray(value) ? value[0] : value) ?? null
  })
  const [page, facets] = await Promise.all([getSessionList(params, 0), getSessionFacets()])
  return <SessionsScreen initial={{ params, page, facets }} />
}
