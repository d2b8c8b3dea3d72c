'use client'

import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { useState } from 'react'
import { useAsOf } from '@/components/live/use-as-of'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { replaceAddress } from '@/components/ui/replace-address'
import {
  type ColdName,
  type ColdParams,
  type ColdView,
  coldNameText,
  coldQueryText,
  parseColdParams,
} from '@/lib/view/cold/cold-storage'
import { formatCount, formatQuantity } from '@/lib/view/text/format'
import { ArchiveCard } from './archive-card'
import { ChunkSheet } from './chunk-sheet'
import type { ColdActions } from './cold-actions'
import { ColdFilters } from './cold-filters'
import { ColdList } from './cold-list'
import { coldQuery } from './cold-query'
import { PurgeDialog } from './purge-dialog'

/** What agents dropped: search, look at it in its old neighbourhood, bring it back, keep it longer, purge what expired. */
export function ColdScreen({
  initial,
  asOf,
  actions,
}: {
  initial: { readonly params: ColdParams; readonly view: ColdView }
  asOf: number | null
  actions: ColdActions
}) {
  const search = useSearchParams()
  const params = parseColdParams((name) => search.get(name))
  const isPainted = coldQueryText(params) === coldQueryText(initial.params)
  const query = useQuery({ ...coldQuery(params), initialData: isPainted ? initial.view : undefined })
  useAsOf(['cold'], asOf)
  const [purging, setPurging] = useState(false)
  const view = query.data ?? initial.view
  const chosen = nameIn(search)

  /** The router follows the address without asking the server for the page again. */
  const go = (next: ColdParams, name: ColdName | null) => {
    const [list, one] = [coldQueryText(next), name === null ? '' : coldNameText(name)]
    const text = one === '' ? list : `${list === '' ? '?' : `${list}&`}${one}`
    replaceAddress(`/cold-storage${text}`)
  }
  const choose = (change: Partial<ColdParams>) => go({ ...params, page: 1, ...change }, null)

  if (view.chunks === 0 && view.problems.length === 0 && view.progress === null && view.archives === null)
    return <NothingCold view={view} />
  return (
    <>
      <ColdFilters params={params} view={view} loading={query.isPlaceholderData} onChoose={choose} />
      {query.isError && (
        <ErrorState title="Cold storage could not be read again" detail={query.error.message} />
      )}
      {view.progress !== null && view.progress.of > 0 && (
        <p role="status" className="tnum text-table text-muted">
          {`Reading what is new: ${formatCount(view.progress.read)} of ${formatQuantity(view.progress.of, 'file')}. What is read already can be searched.`}
        </p>
      )}
      <Card
        title="Dropped chunks"
        note={noteOf(view)}
        flush
        aside={view.expired > 0 && <Button onClick={() => setPurging(true)}>Purge what has expired…</Button>}
      >
        <ColdList view={view} params={params} onOpen={(name) => go(params, name)} onChoose={choose} />
        <Problems view={view} />
      </Card>
      {view.archives !== null && <ArchiveCard archives={view.archives} />}
      {chosen !== null && (
        <ChunkSheet
          key={coldNameText(chosen)}
          name={chosen}
          query={params.q}
          actions={actions}
          onClose={() => go(params, null)}
        />
      )}
      {purging && <PurgeDialog actions={actions} onClose={() => setPurging(false)} />}
    </>
  )
}

function nameIn(search: { get(name: string): string | null }): ColdName | null {
  const [chunkId, sessionId, at] = [search.get('chunk'), search.get('of'), search.get('at')]
  return chunkId === null || sessionId === null || at === null
    ? null
    : { chunkId, sessionId, at: at === '' ? null : Number(at) }
}

function noteOf({ chunks, expired, places }: ColdView): string {
  const gone = expired === 0 ? 'none expired' : `${formatCount(expired)} expired`
  return `${formatQuantity(chunks, 'chunk')}, ${gone}; in ${places.map(({ path }) => path).join(', ')}`
}

function Problems({ view: { problems } }: { view: ColdView }) {
  if (problems.length === 0) return null
  return (
    <ul className="border-t border-line px-4 py-2 text-label text-muted">
      {problems.map(({ what, count, example }) => (
        <li key={what} className="isolate-text">
          {`${formatQuantity(count, 'line')} ${what}${example === null ? '' : `, e.g. ${example}`}`}
        </li>
      ))}
    </ul>
  )
}

function NothingCold({ view }: { view: ColdView }) {
  return (
    <Card>
      <EmptyState title="Nothing was dropped to cold storage" probes={view.places}>
        <p>
          When an agent drops a part of its context because it has nothing to do with the present question,
          the part is kept here: one file for each chunk, so that it can be found and brought back. Nothing
          was found in the places below. Another place is named by <code>coldStorage.path</code> of the
          policy, or <code>COLD_STORAGE_PATH</code> in an agent&apos;s <code>context-config.yaml</code>.
        </p>
      </EmptyState>
    </Card>
  )
}
