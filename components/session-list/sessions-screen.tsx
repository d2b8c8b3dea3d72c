'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { useState } from 'react'
import { useAsOf } from '@/components/live/use-as-of'
import { ErrorState } from '@/components/ui/error-state'
import { replaceAddress } from '@/components/ui/replace-address'
import {
  isFiltered,
  listQuery,
  parseListParams,
  type SessionListFacets,
  type SessionListPage,
  type SessionListParams,
} from '@/lib/view/session-list/session-list'
import { shownText } from '@/lib/view/text/shown-text'
import type { ChooseSessions } from './choose-sessions'
import { SessionFilters } from './session-filters'
import { sessionFacetsQuery, sessionPageQuery } from './session-list-query'
import { SessionTable } from './session-table'

export type InitialSessionList = {
  readonly params: SessionListParams
  readonly page: SessionListPage
  readonly facets: SessionListFacets
}

/** The list of sessions as its address says; typing and choosing only change the address. */
export function SessionsScreen({ initial, asOf }: { initial: InitialSessionList; asOf: number | null }) {
  const search = useSearchParams()
  const params = parseListParams((name) => search.get(name))
  const painted = listQuery(params) === listQuery(initial.params)
  const first = useQuery({
    ...sessionPageQuery(params, 0),
    initialData: painted ? initial.page : undefined,
  })
  // What the rows are of: until those of another choice are there, the list keeps the ones it has.
  const [shown, setShown] = useState(params)
  if (!first.isPlaceholderData && listQuery(shown) !== listQuery(params)) setShown(params)
  useAsOf(['sessions'], asOf)
  const client = useQueryClient()
  const facets = useQuery({ ...sessionFacetsQuery(), initialData: initial.facets })

  const choose: ChooseSessions = (change) => {
    const now = new URLSearchParams(window.location.search)
    const next = change(parseListParams((name) => now.get(name)))
    // Asked for at once, not when the page has been made anew for the address.
    void client.prefetchQuery(sessionPageQuery(next, 0))
    // The router follows the address without asking the server for the page again.
    replaceAddress(`/sessions${listQuery(next)}`)
    window.scrollTo({ top: 0 })
  }

  return (
    <>
      <SessionFilters
        params={params}
        facets={facets.data}
        onChoose={choose}
        summary={first.data}
        loading={first.isPlaceholderData || first.isPending}
      />
      {params.copies !== null && (
        <p className="text-table text-muted">
          One session with its archives, backups and checkpoints. Their calls count once in sums.
        </p>
      )}
      {params.tool !== null && (
        <p className="text-table text-muted">
          Transcripts in which the tool <code className="isolate-text">{shownText(params.tool)}</code> was
          used, sub-agents and copies among them.
        </p>
      )}
      {first.isError && <ErrorState title="The list could not be read" detail={first.error.message} />}
      {first.data && (
        <SessionTable
          params={params}
          shown={shown}
          first={first.data}
          onChoose={choose}
          empty={isFiltered(params) ? 'No session matches the filters.' : 'No session has been read yet.'}
        />
      )}
    </>
  )
}
