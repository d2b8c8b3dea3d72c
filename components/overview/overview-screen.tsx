'use client'

import { useQuery } from '@tanstack/react-query'
import { useAsOf } from '@/components/live/use-as-of'
import { StoreFaults } from '@/components/stores/store-faults'
import { ErrorState } from '@/components/ui/error-state'
import { Later } from '@/components/ui/later'
import type { OverviewView } from '@/lib/view/overview/overview'
import { CompactionsCard } from './compactions-card'
import { DaysCard } from './days-card'
import { FindingsCard } from './findings-card'
import { ModelsCard } from './models-card'
import { NearestCard } from './nearest-card'
import { HappeningsCard } from './occurrences-card'
import { overviewQuery } from './overview-query'
import { StoresCard } from './stores-card'
import { TodayCard } from './today-card'
import { ToolsCard } from './tools-card'

/** The Overview: first as the server painted it, then kept live. */
export function OverviewScreen({ initial, asOf }: { initial: OverviewView; asOf: number | null }) {
  const query = useQuery({ ...overviewQuery(initial.period), initialData: initial })
  useAsOf(overviewQuery(initial.period).queryKey, asOf)
  const view = query.data
  return (
    <>
      {query.isError && (
        <ErrorState title="The overview could not be read again" detail={query.error.message} />
      )}
      <StoreFaults faults={view.faults} />
      <FindingsCard findings={view.findings} isWhole={view.faults.length === 0} />
      <div className="flex flex-col gap-4 lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(280px,340px)] lg:items-start">
        <div className="contents lg:flex lg:min-w-0 lg:flex-col lg:gap-4">
          <NearestCard nearest={view.nearest} />
          <Later>
            <div className="max-lg:order-2">
              <DaysCard view={view.days} period={view.period} />
            </div>
            <div className="max-lg:order-3">
              <CompactionsCard view={view.compactions} />
            </div>
            <div className="max-lg:order-3">
              <ModelsCard
                models={view.models}
                total={view.totalUsage}
                from={view.days.from}
                to={view.days.to}
              />
            </div>
            <div className="laid-out-late max-lg:order-3">
              <ToolsCard tools={view.tools} from={view.days.from} to={view.days.to} />
            </div>
          </Later>
        </div>
        <div className="contents lg:flex lg:min-w-0 lg:flex-col lg:gap-4">
          <div className="max-lg:order-1">
            <TodayCard today={view.today} />
          </div>
          <div className="max-lg:order-2">
            <HappeningsCard happenings={view.happenings} />
          </div>
          <div className="laid-out-late max-lg:order-3">
            <StoresCard stores={view.stores} unkept={view.unkept} />
          </div>
        </div>
      </div>
    </>
  )
}
