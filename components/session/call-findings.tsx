import { HostileText } from '@/components/entry/hostile-text'
import { SeverityBadge } from '@/components/findings/severity-badge'
import { PageLink } from '@/components/ui/page-link'
import type { FindingMark } from '@/lib/view/findings/session-findings'
import { formatCount } from '@/lib/view/text/format'

/**
 * The worst finding that shows at the chosen call, the way to its place in the list. One line whatever the call: what is
 * below does not move while the reader steps.
 */
export function CallFindings({
  id,
  marks,
  call,
}: {
  id: string
  marks: readonly FindingMark[]
  call: number
}) {
  if (marks.length === 0) return null
  const [worst, ...others] = marks.filter(({ calls }) => calls.includes(call))
  return (
    <p data-testid="call-findings" className="flex h-8 min-w-0 items-center gap-2 px-4 text-table">
      {worst === undefined ? (
        <span className="text-muted">No finding names this call.</span>
      ) : (
        <>
          <SeverityBadge severity={worst.severity} />
          <PageLink
            href={`/sessions/${id}/findings#${worst.finding}`}
            title={worst.sentence}
            className="isolate-text min-w-0 truncate hover:underline"
          >
            <HostileText text={worst.sentence} />
          </PageLink>
          {others.length > 0 && (
            <PageLink
              href={`/sessions/${id}/findings`}
              className="shrink-0 whitespace-nowrap text-accent hover:underline"
            >
              {`and ${formatCount(others.length)} more`}
            </PageLink>
          )}
        </>
      )}
    </p>
  )
}
