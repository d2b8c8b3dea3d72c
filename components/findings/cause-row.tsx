import { HostileText } from '@/components/entry/hostile-text'
import { PageLink } from '@/components/ui/page-link'
import { Moment } from '@/components/ui/time'
import type { CauseItem } from '@/lib/view/findings/cause-item'
import { formatQuantity } from '@/lib/view/text/format'
import { CauseActions } from './cause-actions'
import { FindingHistory } from './finding-history'
import { PlaceLinks } from './place-links'
import { RemedyList } from './remedy-list'
import { SeverityBadge } from './severity-badge'

/**
 * One cause: what is wrong, what it cost, where it shows, and what to do.
 * @param inSession on the page of the session itself, which need not be named
 */
export function CauseRow({ item, inSession = false }: { item: CauseItem; inSession?: boolean }) {
  return (
    <li
      id={item.finding}
      data-kind={item.kind}
      className="flex scroll-mt-16 flex-col gap-2 border-t border-line px-4 py-3 first:border-0 target:bg-accent-soft"
    >
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <SeverityBadge severity={item.severity} />
        <h3 className="font-medium">{item.title}</h3>
        <span className="tnum text-table text-muted">{item.cost}</span>
        {item.lastSeen !== null && (
          <Moment at={item.lastSeen} className="tnum ml-auto text-label whitespace-nowrap text-muted" />
        )}
      </div>
      <p className="isolate-text max-w-[90ch] break-words">
        <HostileText text={item.sentence} />
        {item.confidence !== 'certain' && <span className="text-muted">{` (${item.confidence})`}</span>}
      </p>
      <p className="flex flex-wrap gap-x-3 gap-y-1 text-table">
        {!inSession && item.session !== null && (
          <PageLink href={item.session.href} className="isolate-text min-w-0 text-accent hover:underline">
            {item.session.title}
          </PageLink>
        )}
        {!inSession && item.session !== null && item.session.place !== '' && (
          <span className="text-muted">{item.session.place}</span>
        )}
        {item.store !== null && (
          <span className="text-muted">
            {'in the store '}
            <PageLink href={item.store.href} className="isolate-text text-accent hover:underline">
              {item.store.title}
            </PageLink>
          </span>
        )}
        <PlaceLinks calls={item.calls} lines={item.lines} />
        {item.store === null && item.times > item.calls.length + item.lines.length && (
          <span className="tnum text-muted">{`${formatQuantity(item.times, 'time')} in all`}</span>
        )}
        {item.allHref !== null && (
          <PageLink href={item.allHref} className="tnum text-accent hover:underline">
            {item.sessions > 1 ? `all ${formatQuantity(item.sessions, 'session')}` : 'which transcripts'}
          </PageLink>
        )}
      </p>
      <RemedyList remedies={item.remedies} />
      <CauseActions item={item} />
      <div className="flex flex-wrap gap-x-6 gap-y-1">
        <details className="min-w-0 text-table text-muted">
          <summary className="cursor-pointer">When this is found</summary>
          <p className="mt-1 max-w-[90ch]">{item.about}</p>
        </details>
        <FindingHistory steps={item.history} />
      </div>
    </li>
  )
}
