'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { HostileText } from '@/components/entry/hostile-text'
import { Badge, type Tone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { SearchField } from '@/components/ui/search-field'
import { Moment } from '@/components/ui/time'
import { answerWords, type DoneAnswer } from '@/lib/view/actions/action-answer'
import type { FactRow, MemoryView } from '@/lib/view/memory/memory'
import { EditFact } from './edit-fact'
import type { FactActions } from './memory-query'

const TONES: { readonly [S in FactRow['state']]: Tone } = {
  active: 'ok',
  archived: 'neutral',
  contradicted: 'attention',
}

/** Facts of every state: found by words, added, edited and forgotten. */
export function FactsCard({
  view,
  query,
  onSearch,
  actions,
}: {
  view: MemoryView
  query: string
  onSearch: (words: string) => void
  actions: FactActions
}) {
  const client = useQueryClient()
  const [busy, start] = useTransition()
  const [answer, setAnswer] = useState<DoneAnswer | null>(null)
  const [editing, setEditing] = useState<FactRow | null>(null)
  const [text, setText] = useState('')

  function run(work: () => Promise<DoneAnswer>, done: () => void) {
    start(async () => {
      const said = await work()
      setAnswer(said)
      if (said.kind === 'done') done()
      await client.invalidateQueries({ queryKey: ['memory'] })
    })
  }

  return (
    <Card
      title="Facts"
      note={`Kept in: ${view.store}${view.hasMoreFacts ? '; the first of them, search for others' : ''}`}
      flush
      aside={
        <SearchField value={query} label="Search facts" placeholder="Search facts" onSearch={onSearch} />
      }
    >
      <form
        className="flex flex-wrap gap-2 border-y border-line px-4 py-2"
        onSubmit={(event) => {
          event.preventDefault()
          run(
            () => actions.add(text),
            () => setText(''),
          )
        }}
      >
        <input
          value={text}
          onChange={(event) => setText(event.target.value)}
          maxLength={1_000}
          aria-label="A fact to remember"
          placeholder="Something that agents should know"
          className="h-8 min-w-40 flex-1 rounded-md border border-line-strong bg-surface px-2 text-table placeholder:text-muted"
        />
        <Button type="submit" disabled={busy || text.trim() === ''}>
          Remember
        </Button>
      </form>
      {answer !== null && (
        <p
          role="status"
          className={`px-4 pt-2 text-table ${answer.kind === 'done' ? 'text-muted' : 'text-danger'}`}
        >
          {answerWords(answer)}
        </p>
      )}
      {view.facts.length === 0 ? (
        <div className="px-4">
          <EmptyState title={query === '' ? 'No facts are kept yet' : 'No fact speaks of this'}>
            <p>
              Facts come from completed tasks of agents, and from you. They fade by 5 % a month unless they
              are confirmed, and a newer one takes the place of one that it contradicts.
            </p>
          </EmptyState>
        </div>
      ) : (
        <ul aria-label="Facts">
          {view.facts.map((fact) => (
            <li
              key={fact.id}
              className="flex flex-wrap items-start gap-x-3 gap-y-1 border-b border-line px-4 py-2 last:border-0"
            >
              <div className="min-w-48 flex-1">
                <p className="isolate-text max-w-[80ch]">
                  <HostileText text={fact.content} />
                </p>
                <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-label text-muted">
                  <Badge tone={TONES[fact.state]}>{fact.state}</Badge>
                  <span className="tnum" title="Confidence today">{`${fact.sure} % sure`}</span>
                  <span className="isolate-text font-mono">
                    <HostileText text={fact.source} />
                  </span>
                  {fact.scope !== null && (
                    <span className="isolate-text">
                      for <HostileText text={fact.scope} />
                    </span>
                  )}
                  {fact.tags.map((tag) => (
                    <span key={tag} className="isolate-text">
                      #<HostileText text={tag} />
                    </span>
                  ))}
                  <span>
                    confirmed <Moment at={fact.confirmedAt} />
                  </span>
                </p>
              </div>
              <Button
                kind="quiet"
                onClick={() => {
                  setAnswer(null)
                  setEditing(fact)
                }}
                aria-label={`Edit: ${fact.content.slice(0, 60)}`}
              >
                Edit…
              </Button>
            </li>
          ))}
        </ul>
      )}
      {editing !== null && (
        <EditFact
          key={editing.id}
          fact={editing}
          busy={busy}
          problem={answer?.kind === 'refused' ? answer.problem : null}
          onClose={() => setEditing(null)}
          onSave={(change) =>
            run(
              () => actions.edit(editing.id, change),
              () => setEditing(null),
            )
          }
          onForget={() =>
            run(
              () => actions.forget(editing.id),
              () => setEditing(null),
            )
          }
        />
      )}
    </Card>
  )
}
