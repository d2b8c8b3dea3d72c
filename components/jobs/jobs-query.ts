import { queryOptions } from '@tanstack/react-query'
import { readJson } from '@/components/live/read-json'
import type { JobsView, JobView } from '@/lib/view/jobs'

export function jobsQuery(page: number) {
  return queryOptions({
    queryKey: ['jobs', 'list', page] as const,
    queryFn: ({ signal }) => readJson<JobsView>(`/api/jobs?page=${page}`, signal),
  })
}

export function openJobsQuery() {
  return queryOptions({
    queryKey: ['jobs', 'open'] as const,
    queryFn: ({ signal }) => readJson<readonly JobView[]>('/api/jobs/open', signal),
  })
}

export function jobQuery(id: string) {
  return queryOptions({
    queryKey: ['jobs', 'one', id] as const,
    queryFn: ({ signal }) => readJson<JobView>(`/api/jobs/${encodeURIComponent(id)}`, signal),
  })
}
