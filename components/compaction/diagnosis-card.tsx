import { HostileText } from '@/components/entry/hostile-text'
import { RemedyList } from '@/components/findings/remedy-list'
import { SeverityBadge } from '@/components/findings/severity-badge'
import { Card } from '@/components/ui/card'
import { PageLink } from '@/components/ui/page-link'
import type { DiagnosisItem } from '@/lib/view/compaction/diagnosis'
import { formatCount } from '@/lib/view/text/format'

/** Why the compactions of a session are as they are, and what to do. */
export function DiagnosisCard({ items }: { items: readonly DiagnosisItem[] }) {
  return (
    <Card flush title="What is wrong with them">
      <ul aria-label="What is wrong with the compactions">
        {items.map((item) => (
          <li
            key={item.id}
            data-kind={item.kind}
            className="flex flex-col gap-1.5 border-t border-line px-4 py-3 first:border-0 first:pt-0"
          >
            <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
              <SeverityBadge severity={item.severity} />
              <h3 className="font-medium">{item.title}</h3>
            </div>
            <p className="isolate-text max-w-[90ch] break-words">
              <HostileText text={item.sentence} />
              {item.confidence !== 'certain' && <span className="text-muted">{` (${item.confidence})`}</span>}
            </p>
            <RemedyList remedies={item.remedies} />
            <p className="tnum flex flex-wrap gap-x-3 gap-y-1 text-label text-muted">
              {item.compactions.length > 0 && (
                <span>{`compaction ${item.compactions.map(formatCount).join(', ')}`}</span>
              )}
              {item.calls.map(({ number, href }) => (
                <PageLink key={number} href={href} className="text-accent hover:underline">
                  {`call ${formatCount(number)}`}
                </PageLink>
              ))}
              <PageLink href={item.href} className="text-accent hover:underline">
                Other sessions with it
              </PageLink>
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
