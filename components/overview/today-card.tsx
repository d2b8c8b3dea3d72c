import { Card } from '@/components/ui/card'
import { CostFigure } from '@/components/ui/cost-text'
import type { TodayView } from '@/lib/view/overview/overview'
import { formatCount, formatPercent, formatQuantity, formatShort } from '@/lib/view/text/format'

/** The day so far: tokens, money, cache and compactions. */
export function TodayCard({ today }: { today: TodayView }) {
  const { usage } = today
  const tokens = usage.sent + usage.output
  return (
    <Card title="Today" note={`${today.day}, UTC`}>
      {usage.calls === 0 ? (
        <p className="text-muted">
          No calls today.
          {today.lastDay && ` The last were on ${today.lastDay}.`}
        </p>
      ) : (
        <>
          <p className="tnum text-headline font-semibold" title={`${formatCount(tokens)} tokens, measured`}>
            {formatShort(tokens)}
            <span className="ml-1.5 text-body font-normal text-muted">tokens</span>
          </p>
          <p className="text-label text-muted">
            {`${formatShort(usage.sent)} sent, ${formatShort(usage.output)} received in ${formatQuantity(usage.calls, 'call')}, as providers reported`}
          </p>
          <dl className="mt-3 grid grid-cols-2 gap-x-4 gap-y-2">
            <Item term="Cost">
              <CostFigure cost={usage.cost} />
            </Item>
            <Item term="Cache hit">{usage.cacheHit === null ? '?' : formatPercent(usage.cacheHit)}</Item>
            <Item term="Compactions">{formatCount(today.compactions)}</Item>
            <Item term="Calls">{formatCount(usage.calls)}</Item>
          </dl>
        </>
      )}
    </Card>
  )
}

function Item({ term, children }: { term: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-label text-muted">{term}</dt>
      <dd className="tnum text-title font-medium">{children}</dd>
    </div>
  )
}
