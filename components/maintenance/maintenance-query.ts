import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from '@/components/live/read-json'
import type { MaintenanceView } from '@/lib/view/maintenance/maintenance'
import { type MaintenanceTrial, trialSearch } from '@/lib/view/maintenance/maintenance-trial'

export function maintenanceQuery(store: string, trial: MaintenanceTrial) {
  const search = trialSearch(trial)
  return queryOptions({
    queryKey: ['stores', store, 'maintenance', search] as const,
    queryFn: ({ signal }) => fetchJson<MaintenanceView>(`/api/stores/${store}/maintenance${search}`, signal),
  })
}
