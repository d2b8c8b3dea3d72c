import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ExportLinks } from '@/components/ui/export-links'
import { PageLink } from '@/components/ui/page-link'
import { Moment } from '@/components/ui/time'
import {
  ACTIVITY_PAGE_ROWS,
  type ActivityParams,
  type ActivityRow,
  type ActivityView,
  activityQueryText,
  LOG_WORDS,
} from '@/lib/view/activity/activity'
import { formatQuantity } from '@/lib/view/text/format'

/** The lines of the logs, newest first. */
export function LogRowList({
  params,
  view,
  onChoose,
}: {
  params: ActivityParams
  view: ActivityView
  onChoose: (change: Partial<ActivityParams>) => void
}) {
  const pages = Math.ceil(view.total / ACTIVITY_PAGE_ROWS)
  const query = activityQueryText({ ...params, page: 1 })
  return (
    <Card
      title="Lines"
      note={`${formatQuantity(view.total, 'line')}, newest first`}
      flush
      aside={<ExportLinks address="/api/activity/export" query={query} />}
    >
      {view.rows.length === 0 ? (
        <p className="px-4 py-6 text-muted">No line matches the filters.</p>
      ) : (
        <ol aria-label="Lines of the logs" className="text-table">
          {view.rows.map((row) => (
            <Row key={row.key} row={row} />
          ))}
        </ol>
      )}
      {pages > 1 && (
        <nav aria-label="Pages" className="flex items-center gap-2 border-t border-line px-4 py-2">
          <Button disabled={params.page === 1} onClick={() => onChoose({ page: params.page - 1 })}>
            Newer
          </Button>
          <p className="tnum text-label text-muted">{`Page ${params.page} of ${pages}`}</p>
          <Button disabled={params.page >= pages} onClick={() => onChoose({ page: params.page + 1 })}>
            Older
          </Button>
        </nav>
      )}
    </Card>
  )
}

function Row({ row }: { row: ActivityRow }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-t border-line px-4 py-1.5">
      <span className="w-24 shrink-0 text-muted">
        <Moment at={row.at} missing="time unknown" />
      </span>
      <span className="w-24 shrink-0">
        <Badge>{LOG_WORDS[row.kind]}</Badge>
      </span>
      <span className="tnum isolate-text min-w-0 flex-[1_1_18rem]">{row.what}</span>
      {row.chunk !== null && (
        <PageLink
          href={`/activity/chunk?${new URLSearchParams({ id: row.chunk, ...(row.session === null ? {} : { of: row.session }) })}`}
          className="text-accent hover:underline"
        >
          timeline
        </PageLink>
      )}
      {row.shownSession !== '' &&
        (row.sessionHref === null ? (
          <span className="isolate-text max-w-56 truncate text-muted">{row.shownSession}</span>
        ) : (
          <PageLink
            href={row.sessionHref}
            className="isolate-text max-w-56 truncate text-muted hover:text-text hover:underline"
          >
            {row.shownSession}
          </PageLink>
        ))}
      <details className="text-label text-muted open:w-full">
        <summary className="w-fit cursor-pointer hover:text-text">details</summary>
        <p className="isolate-text">{row.more}</p>
        <code className="isolate-text">{row.place}</code>
      </details>
    </li>
  )
}
