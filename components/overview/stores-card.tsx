import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { PageLink } from '@/components/ui/page-link'
import { RuntimeMark } from '@/components/ui/runtime-mark'
import { Moment } from '@/components/ui/time'
import type { StoreHealth } from '@/lib/view/overview/overview'
import { storeBadge } from '@/lib/view/stores/store-state'
import { storeTitles } from '@/lib/view/stores/store-title'
import { formatQuantity } from '@/lib/view/text/format'

/** Each store with its state, in a line. */
export function StoresCard({
  stores,
  unkept,
}: {
  stores: readonly StoreHealth[]
  /** Transcripts that are deleted within a week and not kept. */
  unkept: number
}) {
  const titles = storeTitles(stores)
  return (
    <Card
      title="Stores"
      flush
      aside={
        <PageLink href="/stores" className="px-1 text-table text-accent hover:underline">
          Details
        </PageLink>
      }
    >
      {unkept > 0 && (
        <PageLink
          href="/stores#archive"
          className="block px-4 pb-2 text-table text-attention hover:underline"
        >
          {`${formatQuantity(unkept, 'transcript')} will be deleted by the runtime within a week, and the archive is off`}
        </PageLink>
      )}
      <ul>
        {stores.map((store) => (
          <li key={store.id} className="border-t border-line px-4 py-2">
            <span className="flex items-center gap-2 text-table">
              <RuntimeMark kind={store.kind} />
              <span className="isolate-text min-w-0 flex-1 truncate" title={store.root}>
                {titles.get(store.id)}
                <span className="ml-2 text-label text-muted">{`${store.kind} · ${store.era}`}</span>
              </span>
              <Badge tone={storeBadge(store).tone}>{storeBadge(store).label}</Badge>
            </span>
            <span className="block text-label text-muted">
              {store.lastReadAt !== null && `${formatQuantity(store.sessions, 'session')} · `}
              {'read '}
              <Moment at={store.lastReadAt} missing="never" />
            </span>
            {store.unreadable > 0 && (
              <PageLink
                href={`/stores#${store.id}`}
                className="block text-label text-attention hover:underline"
              >
                {formatQuantity(store.unreadable, 'unreadable line')}
              </PageLink>
            )}
            {store.problem && <span className="isolate-text block text-label">{store.problem}</span>}
          </li>
        ))}
      </ul>
    </Card>
  )
}
