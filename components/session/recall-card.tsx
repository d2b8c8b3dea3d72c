'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fetchJson } from '@/components/live/read-json'
import { Badge, type Tone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ErrorState } from '@/components/ui/error-state'
import { EstimateMark } from '@/components/ui/figure'
import { SearchField } from '@/components/ui/search-field'
import { Skeleton } from '@/components/ui/skeleton'
import type { RecallPreview, RecallRow } from '@/lib/view/session/recall-preview'
import { formatCount, formatQuantity } from '@/lib/view/text/format'
import { HostileText } from '../entry/hostile-text'

const TONES: { readonly [F in RecallRow['fate']]: Tone } = {
  recalled: 'ok',
  cut: 'accent',
  'no room': 'attention',
  'too unlike': 'neutral',
  'beyond the number': 'neutral',
}

/** While memory is being indexed, more is found each time. Milliseconds. */
const AGAIN_MS = 3_000

/** What would be recalled now, for what the user said last or for other words. Looked up only when asked for. */
export function RecallCard({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false)
  const [words, setWords] = useState('')
  const { data, error, isFetching } = useQuery({
    queryKey: ['session', id, 'recall', words] as const,
    queryFn: ({ signal }) =>
      fetchJson<RecallPreview>(`/api/sessions/${id}/recall?q=${encodeURIComponent(words)}`, signal),
    enabled: isOpen,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.isIndexing ? AGAIN_MS : false),
  })
  return (
    <Card
      title="What would be recalled now"
      note="From all memory files, cold storage and old sessions on this machine; an agent searches those that it is given. Nothing is sent or noted"
      aside={
        isOpen ? (
          <SearchField
            value={words}
            label="Another prompt"
            placeholder="Another prompt"
            onSearch={setWords}
          />
        ) : (
          <Button onClick={() => setOpen(true)}>Look it up</Button>
        )
      }
    >
      {isOpen && error !== null && <ErrorState title="Nothing could be looked up" detail={error.message} />}
      {isOpen && data === undefined && isFetching && <Skeleton className="h-24 w-full" />}
      {isOpen && data !== undefined && <Preview data={data} />}
    </Card>
  )
}

function Preview({ data }: { data: RecallPreview }) {
  const {
    rows,
    prompt,
    tokens,
    budget,
    assumedWindow,
    isOn,
    minScore,
    maxChunks,
    sources,
    pieces,
    problems,
  } = data
  const assumed =
    assumedWindow === null
      ? ''
      : ` (the size of the window is unknown; ${formatCount(assumedWindow)} assumed)`
  return (
    <div className="flex flex-col gap-2">
      <p className="isolate-text line-clamp-3 max-w-[80ch] text-table">
        <span className="text-muted">For </span>
        {prompt.trim() === '' ? (
          'nothing: the user has said nothing yet'
        ) : (
          <HostileText text={`“${prompt.trim()}”`} />
        )}
      </p>
      <p className="tnum text-label text-muted">
        {formatCount(tokens)}
        <EstimateMark errorPct={null} />
        {` of ${formatCount(budget)} tokens${assumed}; at most ${formatCount(maxChunks)} pieces, from ${minScore.toFixed(2)} on; ${formatQuantity(pieces, 'piece')} of ${formatQuantity(sources, 'source')} looked through`}
      </p>
      {!isOn && (
        <p className="text-label text-attention">
          Semantic history is switched off in your files: an agent would get none of this.
        </p>
      )}
      {problems.map((problem) => (
        <p key={problem} className="isolate-text text-label text-attention">
          {problem}
        </p>
      ))}
      {rows.length === 0 ? (
        <p className="text-muted">Nothing there shares a telling word with it.</p>
      ) : (
        <ul aria-label="Pieces of memory" className="flex flex-col">
          {rows.map((row) => (
            <li key={row.key} className="border-t border-line py-1.5">
              <details>
                <summary className="flex cursor-pointer flex-wrap items-center gap-x-2 gap-y-1 text-table">
                  <span className="tnum">{row.score}</span>
                  <Badge tone={TONES[row.fate]}>{row.fate}</Badge>
                  <span className="isolate-text min-w-0 font-mono">
                    <HostileText text={row.source} />
                  </span>
                </summary>
                <p className="isolate-text max-w-[80ch] border-l-2 border-line pl-3 text-table whitespace-pre-wrap text-muted">
                  <HostileText text={row.text} />
                </p>
              </details>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
