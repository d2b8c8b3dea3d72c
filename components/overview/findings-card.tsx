import { HostileText } from '@/components/entry/hostile-text'
import { SeverityBadge } from '@/components/findings/severity-badge'
import { Card } from '@/components/ui/card'
import { ErrorState } from '@/components/ui/error-state'
import { PlimsollMark } from '@/components/ui/mark'
import { PageLink } from '@/components/ui/page-link'
import type { LeadingFindings } from '@/lib/view/findings/leading-findings'
import { formatCount, formatQuantity } from '@/lib/view/text/format'

/** The causes that cost most, one sentence each; one calm line where there is nothing of the kind. */
export function FindingsCard({
  findings,
  isWhole,
}: {
  findings: LeadingFindings
  /** Every store could be read and judged. */
  isWhole: boolean
}) {
  const { problem, causes, counts, sessions, muted } = findings
  if (problem !== null) return <ErrorState title="The findings cannot be shown" detail={problem} />
  if (sessions === 0) return null
  const all = counts.high + counts.medium + counts.low
  if (causes.length === 0)
    return <CalmLine low={counts.low} muted={muted} sessions={sessions} isWhole={isWhole} />
  return (
    <Card
      flush
      title="Findings"
      note={`Each cause once, the worst and dearest first${muted > 0 ? `; ${formatCount(muted)} muted` : ''}`}
      aside={
        <PageLink href="/findings" className="px-1 text-table text-accent hover:underline">
          {`All ${formatQuantity(all, 'finding')}`}
        </PageLink>
      }
    >
      <ol aria-label="Findings">
        {causes.map(({ finding, severity, title, sentence, cost, where, href }) => (
          <li key={finding} className="border-t border-line max-md:nth-[n+4]:hidden">
            <PageLink
              href={href}
              title={title}
              className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-3 px-4 py-2 hover:bg-inset lg:grid-cols-[4.5rem_minmax(0,1fr)_18rem]"
            >
              <span>
                <SeverityBadge severity={severity} />
              </span>
              <span className="min-w-0">
                <span className="isolate-text line-clamp-3 text-table break-words md:line-clamp-2">
                  <HostileText text={sentence} />
                </span>
              </span>
              <span className="col-start-2 min-w-0 text-label text-muted lg:col-start-3 lg:text-right">
                <span className="tnum block">{cost}</span>
                <span className="isolate-text line-clamp-1">{where}</span>
              </span>
            </PageLink>
          </li>
        ))}
      </ol>
    </Card>
  )
}

function CalmLine({
  low,
  muted,
  sessions,
  isWhole,
}: {
  low: number
  muted: number
  sessions: number
  isWhole: boolean
}) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-table text-muted">
      <span className="inline-flex items-center gap-2">
        <PlimsollMark size={16} className={isWhole ? 'text-ok' : undefined} />
        {`Nothing is wrong in ${formatQuantity(sessions, 'session')}${isWhole ? '' : ' that could be read'}.`}
      </span>
      {low > 0 && (
        <PageLink href="/findings?severity=low" className="text-accent hover:underline">
          {`${formatCount(low)} worth knowing`}
        </PageLink>
      )}
      {muted > 0 && (
        <PageLink href="/findings?show=muted" className="text-accent hover:underline">
          {`${formatCount(muted)} muted`}
        </PageLink>
      )}
      <PageLink href="/help#findings" className="text-accent hover:underline">
        What is looked for
      </PageLink>
    </p>
  )
}
