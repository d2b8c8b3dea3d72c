import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { FigureText } from '@/components/ui/figure'
import { FillMeter } from '@/components/ui/fill-meter'
import { PageLink } from '@/components/ui/page-link'
import { RuntimeMark } from '@/components/ui/runtime-mark'
import { Moment } from '@/components/ui/time'
import type { NearestRow, OverviewView } from '@/lib/view/overview/overview'
import { type FillView, fillView } from '@/lib/view/session-list/fill'
import { formatPercent, formatQuantity, formatShort } from '@/lib/view/text/format'

/** The fullest sessions against their load lines, nearest to the limit first. */
export function NearestCard({ nearest }: { nearest: OverviewView['nearest'] }) {
  const { rows, total, active, activeDays } = nearest
  const note = active
    ? `${rows.length < total ? `Top ${rows.length} of ` : ''}${formatQuantity(total, 'session')} active in the last ${activeDays} days`
    : `No session was active in the last ${activeDays} days; these were the last`
  return (
    <Card
      title="Nearest to the line"
      note={rows.length > 0 ? note : undefined}
      aside={
        <PageLink href="/sessions?sort=fill" className="px-1 text-table text-accent hover:underline">
          All sessions by fill
        </PageLink>
      }
      flush
    >
      {rows.length === 0 ? (
        <p className="px-4 pb-3 text-muted">No live session has made a call yet.</p>
      ) : (
        <ol>
          {rows.map((row) => (
            <NearestItem key={row.id} row={row} fill={fillView(row.fill)} />
          ))}
        </ol>
      )}
    </Card>
  )
}

function NearestItem({ row, fill }: { row: NearestRow; fill: FillView }) {
  return (
    <li className="border-t border-line">
      <PageLink
        href={`/sessions/${row.id}`}
        title={fill.sentence}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-4 py-2 hover:bg-inset md:grid-cols-[minmax(8rem,18rem)_minmax(6rem,1fr)_15rem]"
      >
        <span className="min-w-0">
          <span className="flex items-center gap-2">
            <RuntimeMark kind={row.kind} />
            <span className="isolate-text truncate text-table font-medium">{row.title}</span>
            {row.demo && <Badge tone="accent">demo</Badge>}
          </span>
          <span className="isolate-text line-clamp-1 text-label text-muted">
            {row.place && `${row.place} · `}
            <Moment at={row.updatedAt} />
          </span>
        </span>
        <span className="order-last col-span-2 min-w-0 md:order-none md:col-span-1">
          <FillMeter fill={fill} />
          {fill.acts !== null && (
            <span className="isolate-text mt-0.5 block break-words text-label text-muted">
              {`${fill.acts} · ${fill.policy}`}
            </span>
          )}
        </span>
        <span className="text-right">
          <span className="flex items-baseline justify-end gap-2">
            <FigureText figure={fill.tokens} form="short" className="text-table" />
            <span className="text-label whitespace-nowrap text-muted">
              {fill.budget === null ? 'of ?' : `of ${formatShort(fill.budget)}`}
            </span>
            <span className="tnum w-12 text-right font-semibold">
              {fill.share === null ? '?' : formatPercent(fill.share)}
            </span>
          </span>
          <FillWords fill={fill} />
        </span>
      </PageLink>
    </li>
  )
}

/** The line passed, and how far the next one is. */
function FillWords({ fill }: { fill: FillView }) {
  const tone =
    fill.tone === 'danger' ? 'text-danger' : fill.tone === 'attention' ? 'text-attention' : 'text-muted'
  const forecast =
    fill.next?.calls == null ? null : `~${formatQuantity(fill.next.calls, 'call')} to ${fill.next.name}`
  return (
    <span className="block text-label whitespace-nowrap">
      {fill.willNotFit ? (
        <span className={tone}>next call will not fit</span>
      ) : (
        fill.passed !== null && <span className={tone}>{`past ${fill.passed}`}</span>
      )}
      {fill.passed !== null && forecast !== null && <span className="text-muted">{' · '}</span>}
      {forecast !== null && (
        <span className="text-muted" title="at the mean growth per call since the last compaction">
          {forecast}
        </span>
      )}
    </span>
  )
}
