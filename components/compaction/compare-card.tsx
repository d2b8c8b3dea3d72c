'use client'

import { useQueries, useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { classes } from '@/components/ui/classes'
import { ErrorState } from '@/components/ui/error-state'
import { FigureText } from '@/components/ui/figure'
import { LoadingNote, Skeleton } from '@/components/ui/skeleton'
import { Table, Td, Th } from '@/components/ui/table'
import type { ComparisonRow } from '@/lib/view/compaction/plan-comparison'
import type { PlanKnobs } from '@/lib/view/compaction/plan-knobs'
import { formatCount } from '@/lib/view/text/format'
import { compareQuery, lossesQuery } from './compact-queries'
import { useQuiet } from './use-quiet'

/** The draft, the operator's files and every preset side by side, for this session at this call. */
export function CompareCard({
  id,
  knobs,
  onKnobs,
}: {
  id: string
  knobs: PlanKnobs
  onKnobs: (change: Partial<PlanKnobs>) => void
}) {
  const quiet = useQuiet(knobs)
  const query = useQuery(compareQuery(id, quiet))
  const [counted, setCounted] = useState(false)
  const rows = query.data?.rows ?? []
  const losses = useQueries({
    queries: rows.map((row) => ({
      ...lossesQuery(id, knobsOf(row, quiet)),
      enabled: counted && row.chunks !== null,
    })),
  })
  return (
    <Card
      flush
      title="Policies side by side"
      note={query.data?.sentence ?? 'what each would make of this session'}
      aside={
        !counted &&
        rows.length > 0 && (
          <Button kind="quiet" onClick={() => setCounted(true)}>
            Count lost names
          </Button>
        )
      }
    >
      {query.isError && <ErrorState title="The policies cannot be compared" detail={query.error.message} />}
      {query.isPending && (
        <div className="p-4">
          <LoadingNote what="the comparison" />
          <Skeleton className="h-40 w-full" />
        </div>
      )}
      {rows.length > 0 && (
        <Table caption="Policies side by side">
          <thead>
            <tr>
              <Th>Policy</Th>
              <Th numeric>Compacts at</Th>
              <Th>Would have</Th>
              <Th numeric>After</Th>
              <Th numeric>Kept</Th>
              <Th numeric>Summarised</Th>
              <Th numeric>Dropped</Th>
              {counted && <Th numeric>Names lost</Th>}
              <Th />
            </tr>
          </thead>
          <tbody aria-busy={query.isPlaceholderData}>
            {rows.map((row, i) => (
              <Fragment key={row.name}>
                <tr
                  className={classes(
                    i > 0 && 'border-t border-line',
                    isShown(row, knobs) && 'bg-accent-soft',
                  )}
                >
                  <Th scope="row" className="align-top font-medium">
                    {row.words}
                  </Th>
                  <Td numeric className="align-top whitespace-nowrap">
                    {row.line === null ? '–' : formatCount(row.line)}
                  </Td>
                  <Td className="align-top text-muted">{row.fires}</Td>
                  <Td numeric className="align-top">
                    <FigureText figure={row.tokensAfter} />
                  </Td>
                  <Td numeric className="align-top">
                    {row.chunks === null ? 'all' : formatCount(row.chunks.keep)}
                  </Td>
                  <Td numeric className="align-top">
                    {row.chunks === null ? '–' : formatCount(row.chunks.summarise + row.chunks.prune)}
                  </Td>
                  <Td numeric className="align-top">
                    {row.chunks === null ? '–' : formatCount(row.chunks.drop)}
                  </Td>
                  {counted && (
                    <Td numeric className="align-top whitespace-nowrap">
                      {lostText(row, losses[i])}
                    </Td>
                  )}
                  <Td className="align-top text-right whitespace-nowrap">
                    {row.name !== 'tried' && !isShown(row, knobs) && (
                      <Button
                        kind="quiet"
                        aria-label={`Try ${row.words}`}
                        onClick={() => onKnobs(knobsOf(row, knobs))}
                      >
                        Try
                      </Button>
                    )}
                  </Td>
                </tr>
                {row.note !== '' && (
                  <tr className={isShown(row, knobs) ? 'bg-accent-soft' : undefined}>
                    <td colSpan={counted ? 9 : 8} className="px-4 pb-1.5 text-label text-muted">
                      {/* On narrow screens the table scrolls, and its sentences stay in sight. */}
                      <span className="sticky left-4 block w-max max-w-[min(70ch,calc(100vw-4.5rem))]">
                        {row.note}
                      </span>
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  )
}

/** The knobs with which a row's plan is the one on the page. */
function knobsOf({ name }: ComparisonRow, knobs: PlanKnobs): PlanKnobs {
  return name === 'tried' ? knobs : { ...knobs, base: name, changes: {} }
}

function isShown({ name }: ComparisonRow, { base, changes }: PlanKnobs): boolean {
  return Object.keys(changes).length > 0 ? name === 'tried' : name === base
}

type Counted = {
  readonly data?: { readonly lost: number; readonly before: number }
  readonly isError: boolean
}

function lostText({ chunks }: ComparisonRow, counted: Counted | undefined): string {
  if (chunks === null) return '0'
  if (counted?.isError) return '?'
  return counted?.data === undefined
    ? '…'
    : `${formatCount(counted.data.lost)} of ${formatCount(counted.data.before)}`
}
