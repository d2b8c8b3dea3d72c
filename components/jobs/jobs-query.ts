import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import type { JobsView, JobView } from '@/lib/view/jobs/jobs'

export function jobsQuery(page: number) {
  return queryOptions({
    queryKey: ['jobs', 'list', page] as const,
    queryFn: ({ signal }) => fetchJson<JobsView>(`/api/jobs?page=${page}`, signal),
  })
}

export function openJobsQuery() {
  return queryOptions({
    queryKey: ['jobs', 'open'] as const,
    queryFn: ({ signal }) => fetchJson<readonly JobView[]>('/api/jobs/open', signal),
  })
}

export function jobQuery(id: string) {
  return queryOptions({
    queryKey: ['jobs', 'one', id] as const,
    queryFn: ({ signal }) => fetchJson<JobView>(`/api/jobs/${encodeURIComponent(id)}`, signal),
  })
}
