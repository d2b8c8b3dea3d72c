import type { ReactNode } from 'react'
import { PageLink } from '@/components/ui/page-link'
import type { CompactionItem } from '@/lib/view/compaction/compactions'
import { formatCount, formatQuantity } from '@/lib/view/text/format'
import { CallLinks } from './call-links'

/** What the record of a compaction says, what is odd about it in full, and where it is. */
export function RecordFacts({
  id,
  item,
  name,
  onOpen,
}: {
  id: string
  item: CompactionItem
  /** `Compaction 2 of 2`. */
  name: string
  /** Opens the source of an entry. */
  onOpen: (seq: number) => void
}) {
  const { trigger, kind, oddities, ours, provider, seq } = item
  return (
    <>
      <h3 className="font-medium">{name}</h3>
      <dl className="flex flex-wrap gap-x-8 gap-y-2 text-table">
        {provider === null ? (
          <Fact name="The record says" title="tokens before, as the runtime wrote them down">
            {item.recordedBefore === null ? 'nothing' : formatQuantity(item.recordedBefore, 'token')}
          </Fact>
        ) : (
          <>
            <Fact name="Made by" title="provider and model that the record names">
              {provider.name}
            </Fact>
            <Fact name="What it kept">{provider.kept}</Fact>
          </>
        )}
        <Fact name="Left the context">{formatQuantity(item.summarised, 'entry', 'entries')}</Fact>
        {provider === null && <Fact name="Stayed">{formatQuantity(item.kept, 'entry', 'entries')}</Fact>}
        <Fact name="In Context">
          <CallLinks id={id} item={item} />
        </Fact>
        <Fact name="Record">
          <button
            type="button"
            onClick={() => onOpen(seq)}
            className="text-accent hover:underline"
          >{`line ${formatCount(item.line)}`}</button>
          {ours !== null && (
            <PageLink href={ours.href} className="ml-3 text-accent hover:underline">
              Receipt
            </PageLink>
          )}
        </Fact>
      </dl>
      {kind !== 'reset' && (
        <p className="isolate-text max-w-[80ch] text-table break-words">
          <span className="text-muted">Set off by: </span>
          {trigger.about}
        </p>
      )}
      {oddities.map(({ word, about }) => (
        <p key={word} className="max-w-[80ch] text-table text-attention">
          {about}
        </p>
      ))}
    </>
  )
}

function Fact({ name, title, children }: { name: string; title?: string; children: ReactNode }) {
  return (
    <div title={title} className="min-w-0">
      <dt className="text-label text-muted">{name}</dt>
      <dd className="tnum">{children}</dd>
    </div>
  )
}
