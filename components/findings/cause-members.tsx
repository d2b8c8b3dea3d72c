import { HostileText } from '@/components/entry/hostile-text'
import { Card } from '@/components/ui/card'
import { PageLink } from '@/components/ui/page-link'
import { Moment } from '@/components/ui/time'
import type { FindingsView } from '@/lib/view/findings/findings-page'
import { formatQuantity } from '@/lib/view/text/format'
import { PlaceLinks } from './place-links'

/** The sessions that have a cause, the dearest first. */
export function CauseMembers({ members }: { members: NonNullable<FindingsView['members']> }) {
  return (
    <Card
      flush
      title="Sessions with this cause"
      note={`${formatQuantity(members.total, 'finding')}, the worst and dearest first`}
    >
      <ul aria-label="Sessions with this cause">
        {members.rows.map(({ finding, session, sentence, cost, lastSeen, calls, lines }) => (
          <li
            key={`${session.href} ${finding}`}
            className="flex flex-col gap-0.5 border-t border-line px-4 py-2 text-table"
          >
            <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
              <PageLink
                href={session.href}
                className="isolate-text min-w-0 font-medium text-accent hover:underline"
              >
                {session.title}
              </PageLink>
              {session.place !== '' && <span className="text-muted">{session.place}</span>}
              <span className="tnum text-muted">{cost}</span>
              {lastSeen !== null && (
                <Moment at={lastSeen} className="tnum ml-auto text-label whitespace-nowrap text-muted" />
              )}
            </div>
            <p className="isolate-text line-clamp-2 max-w-[100ch] break-words">
              <HostileText text={sentence} />
            </p>
            <p className="flex flex-wrap gap-x-3 gap-y-1">
              <PlaceLinks calls={calls} lines={lines} />
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
