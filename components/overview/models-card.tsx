'use client'

import { ChartFrame } from '@/components/charts/chart-frame'
import { CostFigure } from '@/components/ui/cost-text'
import { type ModelUsage, modelsCsv, type UsageSums } from '@/lib/view/overview/days'
import { formatQuantity } from '@/lib/view/text/format'
import { ModelsChart } from './models-chart'
import { ModelsTable } from './models-table'

/** Tokens and cost by model over the period: the providers' own figures, with their sum. */
export function ModelsCard({
  models,
  total,
  from,
  to,
}: {
  models: readonly ModelUsage[]
  total: UsageSums
  from: string
  to: string
}) {
  return (
    <ChartFrame
      title="Tokens and cost by model"
      note={
        <>
          {`${from} to ${to} · ${formatQuantity(total.calls, 'call')} · `}
          <CostFigure cost={total.cost} />
        </>
      }
      name={`plimsoll-models-${from}-${to}`}
      csv={() => modelsCsv(models)}
      table={<ModelsTable models={models} total={total} />}
    >
      {models.length === 0 ? (
        <p className="text-muted">No call in this period.</p>
      ) : (
        <ModelsChart models={models} />
      )}
    </ChartFrame>
  )
}
