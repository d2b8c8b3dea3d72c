import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { PageLink } from '@/components/ui/page-link'
import { Moment } from '@/components/ui/time'
import { judgingWords } from '@/lib/view/stores/store-faults'
import { storeBadge } from '@/lib/view/stores/store-state'
import type { BrokenView, StoreView, UnknownTypeView } from '@/lib/view/stores/stores'
import { formatBytes, formatCount, formatQuantity } from '@/lib/view/text/format'
import { visibleLine } from '@/lib/view/text/visible-text'

/** One store: where, what it holds, how it is, and what in it is not understood. */
export function StoreCard({
  store,
  title,
  unknownTypes,
  broken,
}: {
  store: StoreView
  /** That tells it from the others on the page. */
  title: string
  unknownTypes: readonly UnknownTypeView[]
  broken: readonly BrokenView[]
}) {
  const badge = storeBadge(store)
  /** Nothing of it was ever read: what it holds is unknown, not nothing. */
  const unknown = store.lastReadAt === null && store.sessions === 0
  const judging = judgingWords(store.findingsProblem)
  const count = (value: number) => (unknown ? '?' : formatCount(value))
  return (
    <Card
      id={store.id}
      title={
        <span className="flex flex-wrap items-center gap-2">
          {title}
          <Badge tone={badge.tone}>{badge.label}</Badge>
          {store.demo && (
            <Badge tone="accent" title="Made by Plimsoll's own generator; nothing in it happened">
              demo
            </Badge>
          )}
        </span>
      }
      note={<code className="isolate-text">{store.root}</code>}
      aside={
        <>
          <PageLink
            href={`/sessions?store=${store.id}`}
            className="px-1 text-table whitespace-nowrap text-accent hover:underline"
          >
            {unknown ? 'Sessions' : formatQuantity(store.sessions, 'session')}
          </PageLink>
          <PageLink
            href={`/stores/${store.id}/maintenance`}
            className="px-1 text-table whitespace-nowrap text-accent hover:underline"
            aria-label={`Maintenance of ${title} (${store.era})`}
          >
            Maintenance
          </PageLink>
        </>
      }
    >
      {store.problem && <p className="isolate-text mb-3 max-w-[80ch] text-table">{store.problem}</p>}
      {judging !== null && (
        <p className="isolate-text mb-3 max-w-[80ch] text-table break-words">{`The store ${judging}`}</p>
      )}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-4 xl:grid-cols-8">
        <Fact term="Kind">{`${store.kind} · ${store.era}`}</Fact>
        <Fact term="Read">
          <Moment at={store.lastReadAt} missing="never" />
        </Fact>
        <Fact term="Entries">{count(store.entries)}</Fact>
        <Fact term="Size">{unknown ? '?' : formatBytes(store.bytes)}</Fact>
        <Fact term="Archived">{count(store.archived)}</Fact>
        <Fact term="Gone">{count(store.gone)}</Fact>
        <Fact term="Unreadable lines" alert={store.unreadable > 0}>
          {count(store.unreadable)}
        </Fact>
        <Fact term="Unknown types" alert={store.unknownTypes > 0}>
          {count(store.unknownTypes)}
        </Fact>
      </dl>
      {unknownTypes.length > 0 && (
        <div className="mt-4">
          <h3 className="text-label font-medium text-muted">
            Entries of a type we do not know: kept, not counted as context
          </h3>
          <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-table">
            {unknownTypes.map((type) => (
              <li key={type.type}>
                <code className="isolate-text">{visibleLine(type.type)}</code>
                <span className="tnum text-muted">{` × ${formatCount(type.count)} · `}</span>
                <PageLink href={type.href} className="text-accent hover:underline">
                  {`e.g. line ${type.line}`}
                </PageLink>
              </li>
            ))}
          </ul>
        </div>
      )}
      {broken.length > 0 && (
        <div className="mt-4">
          <h3 className="text-label font-medium text-muted">Transcripts with a problem</h3>
          <ul className="mt-1 flex flex-col gap-1 text-table">
            {broken.map((session) => (
              <li key={session.id}>
                <PageLink
                  href={`/sessions/${session.id}`}
                  className="isolate-text text-accent hover:underline"
                >
                  {session.title}
                </PageLink>
                <span className="isolate-text">{visibleLine(` · ${session.problem}`)}</span>
                <code className="isolate-text block text-label text-muted">{visibleLine(session.path)}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  )
}

function Fact({
  term,
  alert = false,
  children,
}: {
  term: string
  alert?: boolean
  children: React.ReactNode
}) {
  return (
    <div className="min-w-0">
      <dt className="text-label text-muted">{term}</dt>
      <dd className={alert ? 'tnum text-attention' : 'tnum'}>{children}</dd>
    </div>
  )
}
