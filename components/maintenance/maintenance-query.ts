import { queryOptions } from '@tanstack/react-query'
import { readJson } from '@/components/live/read-json'
import type { MaintenanceView } from '@/lib/view/maintenance'
import { type MaintenanceTrial, trialSearch } from '@/lib/view/maintenance-trial'

export function maintenanceQuery(store: string, trial: MaintenanceTrial) {
  const search = trialSearch(trial)
  return queryOptions({
    queryKey: ['stores', store, 'maintenance', search] as const,
    queryFn: ({ signal }) => readJson<MaintenanceView>(`/api/stores/${store}/maintenance${search}`, signal),
  })
}
