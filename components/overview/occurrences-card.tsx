'use client'

import { Card } from '@/components/ui/card'
import { AlertGlyph, ColdGlyph } from '@/components/ui/glyphs'
import { PlimsollMark } from '@/components/ui/mark'
import { PageLink } from '@/components/ui/page-link'
import { Moment } from '@/components/ui/time'
import type { Occurrence } from '@/lib/view/overview/occurrences'

/** Compactions, resets, drops, failed calls and unreadable lines, newest first. */
export function HappeningsCard({ happenings }: { happenings: readonly Occurrence[] }) {
  return (
    <Card title="What happened" flush>
      {happenings.length === 0 ? (
        <p className="px-4 pb-3 text-muted">No compaction, reset or failure on record.</p>
      ) : (
        <ol>
          {happenings.map((event) => (
            <li
              key={`${event.kind} ${event.session.id} ${event.at} ${event.text}`}
              className="border-t border-line"
            >
              <PageLink href={event.href} className="flex gap-2.5 px-4 py-1.5 hover:bg-inset">
                <span className="mt-0.5">
                  <Glyph kind={event.kind} />
                </span>
                <span className="min-w-0 flex-1">
                  <span className="isolate-text line-clamp-3 text-table">{event.text}</span>
                  <span className="isolate-text line-clamp-1 text-label text-muted">
                    {event.session.title}
                  </span>
                </span>
                <Moment at={event.at} className="tnum text-label whitespace-nowrap text-muted" />
              </PageLink>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

function Glyph({ kind }: { kind: Occurrence['kind'] }) {
  if (kind === 'compaction') return <PlimsollMark size={16} className="text-accent" />
  if (kind === 'drops')
    return (
      <span className="text-muted">
        <ColdGlyph />
      </span>
    )
  if (kind === 'reset') return <PlimsollMark size={16} className="text-muted" />
  return (
    <span className={kind === 'failed-call' ? 'text-danger' : 'text-attention'}>
      <AlertGlyph />
    </span>
  )
}
