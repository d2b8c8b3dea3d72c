'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { compactionsQuery } from '@/components/compaction/compactions-query'
import { useAsOf } from '@/components/live/use-as-of'
import { LinkTabs } from '@/components/ui/tabs'
import type { SessionSummary } from '@/lib/view/session/session-head'
import { DEFAULT_SELECTION } from '@/lib/view/session/session-selection'
import { SessionHeader } from './session-header'
import { contextQuery, summaryQuery, transcriptQuery, turnsQuery } from './session-queries'
import { useNeighbourKeys } from './use-neighbour-keys'

/** The head and the tabs of a session, kept live, around one of its pages. */
export function SessionFrame({
  initial,
  asOf,
  children,
}: {
  initial: SessionSummary
  /** Revision of the database before `initial` was read. */
  asOf: number | null
  children: ReactNode
}) {
  const { id } = initial.head
  const summary = useQuery({ ...summaryQuery(id), initialData: initial }).data
  useAsOf(['session', id], asOf)
  useNeighbourKeys(summary)
  const client = useQueryClient()
  // What takes longest is reading the transcript; it is read by the time the tab is pressed.
  const near = {
    context: () => {
      const { calls } = summary.head
      if (calls > 0) void client.prefetchQuery(contextQuery(id, calls, DEFAULT_SELECTION, 0))
    },
    transcript: () => {
      void client.prefetchQuery(transcriptQuery(id, 0))
      void client.prefetchQuery(turnsQuery(id, 0))
    },
    compactions: () => void client.prefetchQuery(compactionsQuery(id)),
    // What reads policies is loaded only where a plan is wanted.
    compact: () =>
      void import('@/components/compaction/prepare-plan').then(({ preparePlan }) => preparePlan(client, id)),
  }
  return (
    <>
      <SessionHeader summary={summary} />
      <LinkTabs
        label="Parts of the session"
        tabs={[
          { href: `/sessions/${id}`, label: 'Context', onNear: near.context },
          { href: `/sessions/${id}/findings`, label: 'Findings', count: summary.findings.open },
          {
            href: `/sessions/${id}/transcript`,
            label: 'Transcript',
            count: summary.head.entries,
            onNear: near.transcript,
          },
          {
            href: `/sessions/${id}/compactions`,
            label: 'Compactions',
            count: summary.head.compactions,
            onNear: near.compactions,
          },
          { href: `/sessions/${id}/compact`, label: 'Compact', onNear: near.compact },
          { href: `/sessions/${id}/pruning`, label: 'Pruning' },
          { href: `/sessions/${id}/integrity`, label: 'Integrity' },
        ]}
      />
      {children}
    </>
  )
}
