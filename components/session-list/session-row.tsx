'use client'

import { type ReactNode, useEffect, useRef } from 'react'
import { Sparkline } from '@/components/charts/sparkline'
import { Badge } from '@/components/ui/badge'
import { classes } from '@/components/ui/classes'
import { CostFigure } from '@/components/ui/cost-text'
import { FigureText } from '@/components/ui/figure'
import { FillMeter } from '@/components/ui/fill-meter'
import { PageLink } from '@/components/ui/page-link'
import { RuntimeMark } from '@/components/ui/runtime-mark'
import { Skeleton } from '@/components/ui/skeleton'
import { Moment } from '@/components/ui/time'
import { type FillView, fillView } from '@/lib/view/session-list/fill'
import { type SessionListRow, STATE_LABELS } from '@/lib/view/session-list/session-list'
import { formatCount, formatPercent, formatQuantity } from '@/lib/view/text/format'
import { FROM_LARGE, FROM_MIDDLE, FROM_WIDE } from './session-columns'
import { Snippet } from './snippet'

/** One session. The whole row leads to it; `current` puts the keyboard there. */
export function SessionRow({
  row,
  index,
  height,
  current,
}: {
  row: SessionListRow
  index: number
  /** Pixels. */
  height: number
  current: boolean
}) {
  const link = useRef<HTMLAnchorElement>(null)
  // The outside system is the keyboard focus: it follows the row that j and k have reached.
  useEffect(() => {
    if (current) link.current?.focus({ preventScroll: true })
  }, [current])
  const fill = fillView(row.fill)
  const compactAt = fill.lines.find((line) => line.name === 'compact')?.tokens ?? null
  return (
    <tr
      aria-rowindex={index + 2}
      style={{ height }}
      className={classes(
        ROW,
        'relative hover:bg-inset focus-within:bg-inset',
        // What was found is on a separate line below the cells.
        row.found !== null && 'md:[&>td]:pb-6',
      )}
    >
      <Cell className="max-md:contents">
        <div className="flex min-w-0 items-center gap-2">
          <RuntimeMark kind={row.kind} />
          <PageLink
            ref={link}
            href={hrefOf(row)}
            title={row.title}
            className="isolate-text min-w-0 truncate outline-offset-[-2px] after:absolute after:inset-0 max-md:font-medium"
          >
            {row.title}
          </PageLink>
          <RowBadges row={row} />
        </div>
        {row.found && (
          <p
            data-testid="found"
            className="isolate-text truncate text-label text-muted max-md:order-4 max-md:col-span-2 md:absolute md:inset-x-4 md:bottom-1.5"
          >
            {row.found.entries > 1 && (
              <span className="tnum">{`${formatQuantity(row.found.entries, 'entry', 'entries')} · `}</span>
            )}
            <Snippet parts={row.found.parts} isOneLine />
          </p>
        )}
      </Cell>
      <TextCell text={row.agent} className={FROM_MIDDLE} />
      <TextCell text={row.channel} className={FROM_WIDE} />
      <TextCell text={row.model} className={FROM_MIDDLE} />
      <Cell className="max-md:order-2">
        <div className="flex items-center gap-2">
          <Fill fill={fill} />
        </div>
      </Cell>
      <Cell className={FROM_LARGE}>
        <Sparkline
          values={row.fill.trend}
          ceiling={fill.budget}
          line={compactAt}
          label={`Prompt sizes of the last ${formatQuantity(row.fill.trend.length, 'call')}`}
        />
      </Cell>
      <Cell numeric className={FROM_MIDDLE}>
        {formatCount(row.calls)}
      </Cell>
      <Cell numeric className={FROM_WIDE}>
        {formatCount(row.compactions)}
      </Cell>
      <Cell numeric className="max-md:order-3">
        <CostFigure cost={row.cost} />
      </Cell>
      <Cell numeric className="max-md:order-1 max-md:text-label">
        <Moment at={row.updatedAt} missing="?" className="whitespace-nowrap text-muted" />
      </Cell>
    </tr>
  )
}

/** Where a row leads: to the entry that the search found, else to the session. */
function hrefOf(row: SessionListRow): string {
  return row.found === null ? `/sessions/${row.id}` : `/sessions/${row.id}/transcript?entry=${row.found.seq}`
}

function RowBadges({ row }: { row: SessionListRow }) {
  const state = STATE_LABELS[row.state]
  return (
    <>
      {row.copies > 0 && (
        // Above the link that covers the row.
        <PageLink
          href={`/sessions?copies=${row.id}`}
          title="Archives, backups and checkpoints of this session"
          className="relative z-1 rounded-sm text-label whitespace-nowrap text-accent underline underline-offset-2"
        >
          {formatQuantity(row.copies, 'copy', 'copies')}
        </PageLink>
      )}
      {row.agents > 0 && (
        <PageLink
          href={`/sessions?agents=${row.id}`}
          title="Sub-agents that work for this session"
          className="relative z-1 rounded-sm text-label whitespace-nowrap text-accent underline underline-offset-2"
        >
          {formatQuantity(row.agents, 'sub-agent')}
        </PageLink>
      )}
      {row.demo && <Badge tone="accent">demo</Badge>}
      {row.state !== 'live' && (
        <Badge tone={row.state === 'gone' ? 'attention' : 'neutral'} title={state?.about}>
          {state?.label ?? row.state}
        </Badge>
      )}
      {row.problem !== null && (
        <Badge tone="danger" title={row.problem}>
          cannot be read
        </Badge>
      )}
      {row.unreadable > 0 && (
        <Badge tone="attention" title={`${formatQuantity(row.unreadable, 'line')} could not be read`}>
          {`${row.unreadable} unreadable`}
        </Badge>
      )}
    </>
  )
}

function Fill({ fill }: { fill: FillView }) {
  return (
    <>
      <span title={fill.sentence} className="w-24 min-w-0 shrink">
        <FillMeter fill={fill} />
      </span>
      <FigureText figure={fill.tokens} form="short" className="w-16 shrink-0 text-right" />
      <span className="tnum w-12 shrink-0 text-right">
        {fill.share === null ? '' : formatPercent(fill.share)}
        {fill.willNotFit && <span className="block text-label whitespace-nowrap text-danger">won’t fit</span>}
      </span>
    </>
  )
}

/**
 * On narrow screens the cells of a row are on two lines: name and time, fill and cost. They are the same ones, so that a
 * list is not made twice.
 */
const ROW =
  'max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:content-center max-md:items-center max-md:gap-x-2 max-md:border-b max-md:border-line max-md:px-4'

const CELL = 'md:border-b md:border-line md:px-1.5 md:first:pl-4 md:last:pr-4'

function Cell({
  numeric = false,
  className,
  children,
}: {
  numeric?: boolean
  className?: string
  children: ReactNode
}) {
  return <td className={classes(CELL, numeric && 'tnum text-right', className)}>{children}</td>
}

function TextCell({ text, className }: { text: string | null; className: string }) {
  return (
    <td title={text ?? undefined} className={classes(CELL, 'isolate-text truncate', className)}>
      {text ?? <span className="text-muted">–</span>}
    </td>
  )
}

/** A row that is being read. */
export function SessionRowSkeleton({ height }: { height: number }) {
  return (
    <tr style={{ height }} className={ROW}>
      <td className={CELL}>
        <Skeleton className="h-3 w-2/3" />
      </td>
    </tr>
  )
}
