import { HostileText } from '@/components/entry/hostile-text'
import { SeverityBadge } from '@/components/findings/severity-badge'
import { PageLink } from '@/components/ui/page-link'
import { namedFindings } from '@/lib/view/findings/call-marks'
import type { FindingMark } from '@/lib/view/findings/session-findings'
import { formatCount } from '@/lib/view/text/format'

/** Findings that show at the chosen call, each the way to the list. */
export function CallFindings({
  id,
  marks,
  call,
}: {
  id: string
  marks: readonly FindingMark[]
  call: number
}) {
  const { named, more } = namedFindings(marks.filter(({ calls }) => calls.includes(call)))
  if (named.length === 0) return null
  return (
    <ul
      aria-label={`Findings at call ${formatCount(call)}`}
      className="flex flex-col gap-1 px-4 pt-1 text-table"
    >
      {named.map(({ finding, severity, sentence }) => (
        <li key={finding} className="flex items-baseline gap-2">
          <SeverityBadge severity={severity} />
          <PageLink
            href={`/sessions/${id}/findings#${finding}`}
            className="isolate-text min-w-0 max-w-[100ch] break-words hover:underline"
          >
            <HostileText text={sentence} />
          </PageLink>
        </li>
      ))}
      {more > 0 && (
        <li>
          <PageLink href={`/sessions/${id}/findings`} className="text-accent hover:underline">
            {`and ${formatCount(more)} more`}
          </PageLink>
        </li>
      )}
    </ul>
  )
}
