import { type ReactNode, useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button, buttonClasses } from '@/components/ui/button'
import { CostFigure } from '@/components/ui/cost-text'
import { FigureText } from '@/components/ui/figure'
import { AlertGlyph } from '@/components/ui/glyphs'
import { PageLink } from '@/components/ui/page-link'
import { RuntimeMark } from '@/components/ui/runtime-mark'
import { Term } from '@/components/ui/term'
import { Moment } from '@/components/ui/time'
import type { GoneNote } from '@/lib/view/archive/archive-view'
import type { ShortTerm } from '@/lib/view/help/short-meanings'
import {
  type MirrorView,
  type SessionHead,
  type SessionSummary,
  sizeFacts,
  windowSourceWords,
} from '@/lib/view/session/session-head'
import { STATE_LABELS } from '@/lib/view/session-list/session-list'
import { costOfSession } from '@/lib/view/text/cost'
import { formatBytes, formatCount, formatQuantity, formatShort } from '@/lib/view/text/format'
import { visibleLine } from '@/lib/view/text/visible-text'

/** What a session is and how full it is: one line of name, one of facts. */
export function SessionHeader({ summary }: { summary: SessionSummary }) {
  const { head } = summary
  const [all, setAll] = useState(false)
  return (
    <header className="flex flex-col gap-2">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h1
            className="isolate-text line-clamp-2 text-figure break-words sm:line-clamp-1"
            title={head.title}
          >
            {head.title}
          </h1>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-label text-muted">
            {head.key !== null && head.key !== head.title && (
              <code className="isolate-text">{visibleLine(head.key)}</code>
            )}
            {head.place !== '' && <span>{head.place}</span>}
            <span className="inline-flex items-center gap-1">
              <RuntimeMark kind={head.store.kind} />
              {head.store.label}
            </span>
            <span>
              {'last entry '}
              <Moment at={head.updatedAt} missing="unknown" />
            </span>
            {summary.worksFor !== null && (
              <span className="isolate-text">
                {'sub-agent of '}
                <PageLink href={`/sessions/${summary.worksFor.id}`} className="text-accent underline">
                  {summary.worksFor.title}
                </PageLink>
              </span>
            )}
            {head.store.state !== 'ok' && (
              <Badge tone="attention" title={head.store.problem ?? undefined}>
                {`store ${head.store.state}`}
              </Badge>
            )}
            {head.problem !== null && (
              <Badge tone="danger" title={head.problem}>
                cannot be read
              </Badge>
            )}
          </p>
        </div>
        <Neighbours summary={summary} />
      </div>
      {summary.mirror !== null && <MirrorNote mirror={summary.mirror} />}
      {summary.gone !== null && <GoneNotice gone={summary.gone} />}
      <Notices head={head} />
      <dl data-folded={all ? undefined : ''} className="group flex flex-wrap gap-x-6 gap-y-1.5">
        {sizeFacts(head).map(({ name, figure, words }, i) => (
          <Fact key={name} name={name}>
            <FigureText figure={figure} className="font-medium" />
            {words !== '' && <span className="tnum text-muted">{` ${words}`}</span>}
            {i === 0 && <SizeNotes head={head} />}
          </Fact>
        ))}
        <WindowFacts head={head} />
        <Fact name="Model">
          {head.model === null ? '?' : <span className="isolate-text">{visibleLine(head.model)}</span>}
        </Fact>
        <Fact name="Calls" help="call">
          {formatCount(head.calls)}
        </Fact>
        <Fact extra name="Turns" help="turn">
          {formatCount(head.turns)}
        </Fact>
        <Fact extra name="Compactions" help="compaction">
          {formatCount(head.compactions)}
        </Fact>
        <Fact extra name="Entries" help="entry" title={formatBytes(head.bytes)}>
          {formatCount(head.entries)}
          {head.unreadable > 0 && (
            <span className="text-attention">{` · ${formatCount(head.unreadable)} unreadable`}</span>
          )}
          {head.unknownTypes > 0 && (
            <span className="text-attention">{` · ${formatCount(head.unknownTypes)} of unknown type`}</span>
          )}
        </Fact>
        <Fact extra name="Cost" help="cost">
          <CostFigure cost={costOfSession(head)} />
        </Fact>
        <Fact extra name="State" title={STATE_LABELS[head.state]?.about}>
          {STATE_LABELS[head.state]?.label ?? head.state}
          <Copies summary={summary} />
        </Fact>
      </dl>
      <Button
        kind="quiet"
        aria-expanded={all}
        onClick={() => setAll(!all)}
        className="-ml-2.5 self-start text-accent sm:hidden"
      >
        {all ? 'Less about it' : 'More about it'}
      </Button>
    </header>
  )
}

/** What is to be known beside the size. */
function SizeNotes({ head: { staleTotal, willNotFit } }: { head: SessionHead }) {
  return (
    <>
      {staleTotal !== null && (
        <span className="tnum text-muted" title="It says so itself; the figure is not used.">
          {` · its runtime’s own ${formatCount(staleTotal)} is out of date`}
        </span>
      )}
      {willNotFit && <span className="text-danger"> · the next call will not fit</span>}
    </>
  )
}

/** The way from a copy to its session, and to the other copies. */
function Copies({ summary: { head, copies } }: { summary: SessionSummary }) {
  const link = (href: string, words: string) => (
    <PageLink href={href} className="text-accent underline underline-offset-2">
      {words}
    </PageLink>
  )
  return (
    <>
      {copies.head !== null && <> · {link(`/sessions/${copies.head}`, 'a copy: open the session')}</>}
      {copies.count > 0 && (
        <> · {link(`/sessions?copies=${head.id}`, formatQuantity(copies.count, 'copy', 'copies'))}</>
      )}
    </>
  )
}

/** A sentence about the session as a whole, above its figures. */
function Notice({ testId, words, children }: { testId: string; words: string; children: ReactNode }) {
  return (
    <p
      role="note"
      data-testid={testId}
      className="flex max-w-[100ch] items-start gap-2 rounded-md border border-line bg-inset p-2 text-table"
    >
      <span className="mt-0.5 shrink-0 text-attention">
        <AlertGlyph />
      </span>
      <span className="min-w-0">
        <span className="isolate-text">{words}</span>
        {children}
      </span>
    </p>
  )
}

/** Another harness keeps the real history: said before any figure of the mirror. */
function MirrorNote({ mirror: { words, owner, href } }: { mirror: MirrorView }) {
  return (
    <Notice testId="mirror" words={words}>
      {href !== null && (
        <PageLink href={href} className="ml-2 whitespace-nowrap text-accent underline underline-offset-2">
          {`Open the session of ${owner}`}
        </PageLink>
      )}
    </Notice>
  )
}

/** Its transcript is no longer in its store: what is left of it, and how it comes back. */
function GoneNotice({ gone: { words, command } }: { gone: GoneNote }) {
  return (
    <Notice testId="gone" words={words}>
      {command !== null && (
        <>
          {' Put it back with '}
          <code className="isolate-text">{command}</code>
        </>
      )}
    </Notice>
  )
}

/** What is wrong with the session as it is in its store, in full. */
function Notices({ head: { id, notices } }: { head: SessionHead }) {
  if (notices.length === 0) return null
  return (
    <ul aria-label="What is wrong" className="flex flex-col gap-1">
      {notices.map(({ text, checked }) => (
        <li key={text} className="flex max-w-[100ch] items-start gap-2 text-table">
          <span className="mt-0.5 shrink-0 text-attention">
            <AlertGlyph />
          </span>
          <span className="min-w-0">
            <span className="isolate-text">{text}</span>
            {checked && (
              <PageLink
                href={`/sessions/${id}/integrity`}
                className="ml-2 whitespace-nowrap text-accent underline underline-offset-2"
              >
                Look at its integrity
              </PageLink>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

function WindowFacts({ head }: { head: SessionHead }) {
  const { window } = head
  if (window === null)
    return (
      <Fact extra name="Window" help="window">
        ?
      </Fact>
    )
  return (
    <>
      <Fact extra name="Window" help="window">
        {formatShort(window.tokens)}
        <span className="text-muted">{` ${windowSourceWords(window.source)}`}</span>
      </Fact>
      <Fact extra name="Reserve" title={`named by ${window.from}`}>
        {formatShort(window.reserve)}
        <span className="isolate-text text-muted">{` ${visibleLine(window.from)}`}</span>
      </Fact>
      <Fact extra name="Effective budget" help="budget">
        {formatShort(window.budget)}
      </Fact>
      <Fact extra name="Runtime policy" help="runtime-policy">
        <span className="isolate-text">{visibleLine(window.runtime)}</span>
        {window.believed !== null && (
          <span className="isolate-text text-muted">{` ${visibleLine(window.believed)}`}</span>
        )}
        {window.settings.length > 0 && (
          <span className="isolate-text text-muted">{` set: ${window.settings.map(visibleLine).join('; ')}`}</span>
        )}
        {window.assumed.length > 0 && (
          <span className="isolate-text text-muted">{` assumed: ${window.assumed.map(visibleLine).join('; ')}`}</span>
        )}
      </Fact>
    </>
  )
}

/** @param extra on narrow screens it waits until all is asked for */
function Fact({
  name,
  title,
  help,
  extra = false,
  children,
}: {
  name: string
  title?: string
  /** What the help calls it. */
  help?: ShortTerm
  extra?: boolean
  children: ReactNode
}) {
  return (
    <div title={title} className={extra ? 'max-sm:group-data-[folded]:hidden' : undefined}>
      <dt className="text-label text-muted">{help === undefined ? name : <Term id={help}>{name}</Term>}</dt>
      <dd className="tnum text-table">{children}</dd>
    </div>
  )
}

/** To the newer and the older session of the list; also on `[` and `]`. */
function Neighbours({ summary }: { summary: SessionSummary }) {
  const link = (id: string | null, label: string, sign: string, key: string) =>
    id === null ? null : (
      <PageLink
        href={`/sessions/${id}`}
        aria-label={label}
        title={`${label} (${key})`}
        aria-keyshortcuts={key}
        className={buttonClasses('quiet', 'w-8 px-0')}
      >
        {sign}
      </PageLink>
    )
  return (
    <nav aria-label="Other sessions" className="flex">
      {link(summary.newer, 'Newer session', '←', '[')}
      {link(summary.older, 'Older session', '→', ']')}
    </nav>
  )
}
