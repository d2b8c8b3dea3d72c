import { PageLink } from '@/components/ui/page-link'
import type { CompactionItem } from '@/lib/view/compaction/compactions'
import { formatCount } from '@/lib/view/text/format'

/** The calls around it, on the Context tab. */
export function CallLinks({ id, item }: { id: string; item: CompactionItem }) {
  return (
    <span className="flex flex-wrap gap-x-3 whitespace-nowrap">
      <CallLink id={id} call={item.callBefore} word="before" />
      <CallLink id={id} call={item.callAfter} word="after" />
    </span>
  )
}

function CallLink({ id, call, word }: { id: string; call: number | null; word: string }) {
  if (call === null) return <span className="text-muted">{`no call ${word}`}</span>
  return (
    <PageLink href={`/sessions/${id}?call=${call}`} className="tnum text-accent hover:underline">
      {`call ${formatCount(call)} ${word}`}
    </PageLink>
  )
}
