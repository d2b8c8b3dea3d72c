import { HostileText } from '@/components/entry/hostile-text'
import { Badge, type Tone } from '@/components/ui/badge'
import { PageLink } from '@/components/ui/page-link'
import { Moment } from '@/components/ui/time'
import type { Severity } from '@/lib/core/findings/finding'
import type { CauseItem } from '@/lib/view/findings/findings-page'
import { formatCount } from '@/lib/view/text/format'
import { CauseActions } from './cause-actions'

const TONES: { readonly [S in Severity]: Tone } = { high: 'danger', medium: 'attention', low: 'neutral' }

/** One cause: what is wrong, what it cost, where it shows, and what to do. */
export function CauseRow({ item }: { item: CauseItem }) {
  return (
    <li data-kind={item.kind} className="flex flex-col gap-2 border-t border-line px-4 py-3 first:border-0">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Badge tone={TONES[item.severity]}>{item.severity}</Badge>
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
        <PageLink href={item.session.href} className="isolate-text min-w-0 text-accent hover:underline">
          {item.session.title}
        </PageLink>
        {item.session.place !== '' && <span className="text-muted">{item.session.place}</span>}
        {item.calls.map(({ number, href }) => (
          <PageLink key={number} href={href} className="tnum text-accent hover:underline">
            {`call ${formatCount(number)}`}
          </PageLink>
        ))}
      </p>
      {item.remedies.length > 0 && (
        <ul aria-label="What to do" className="flex flex-col gap-1 text-table">
          {item.remedies.map(({ words, code }) => (
            <li key={`${words} ${code}`} className="max-w-[90ch]">
              {words}
              {code !== null && <code className="isolate-text ml-2 text-label break-all">{code}</code>}
            </li>
          ))}
        </ul>
      )}
      <CauseActions item={item} />
      <details className="text-table text-muted">
        <summary className="cursor-pointer">When this is found</summary>
        <p className="mt-1 max-w-[90ch]">{item.about}</p>
      </details>
    </li>
  )
}
