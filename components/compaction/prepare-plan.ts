import type { QueryClient } from '@tanstack/react-query'
import { readPlanKnobs } from '@/lib/view/compaction/plan-knobs'
import { planQuery } from './compact-queries'

/** Has the plan made that the Compact tab begins with: the transcript is read by the time the tab is pressed. */
export function preparePlan(client: QueryClient, id: string): void {
  void client.prefetchQuery(planQuery(id, readPlanKnobs({})))
}
