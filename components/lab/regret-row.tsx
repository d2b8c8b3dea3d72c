'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { HostileText } from '@/components/entry/hostile-text'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { PageLink } from '@/components/ui/page-link'
import { Skeleton } from '@/components/ui/skeleton'
import type { Excerpt, RegretItem } from '@/lib/view/lab/lab-page'
import { useLabActions } from './lab-actions'
import { evidenceQuery } from './lab-queries'

/** A need that was left unmet; opened, the drop and the need side by side. */
export function RegretRow({ item }: { item: RegretItem }) {
  const [isOpen, setOpen] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, start] = useTransition()
  const client = useQueryClient()
  const { refuse } = useLabActions()

  function mark() {
    start(async () => {
      const answer = await refuse(item.transcript, item.need.seq, item.text, !item.refused)
      setProblem(answer.kind === 'refused' ? answer.problem : null)
      await client.invalidateQueries({ queryKey: ['lab', 'page'] })
    })
  }

  return (
    <li className="flex flex-col gap-2 border-t border-line px-4 py-3">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-table">
        <code className="isolate-text min-w-0 font-medium break-all">
          <HostileText text={item.shown} />
        </code>
        <Badge tone={item.verdict === 'lost' ? 'attention' : 'neutral'}>
          {item.verdict === 'lost' ? 'not to be had again' : 'could be fetched again'}
        </Badge>
        <span className="tnum text-label text-muted">{`${item.kind} · weight ${item.weight}`}</span>
        {item.refused && <Badge tone="accent">not a need</Badge>}
      </div>
      <p className="isolate-text max-w-[90ch] text-table break-words text-muted">
        <HostileText text={item.why} />
      </p>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-table">
        <PageLink href={item.session.href} className="isolate-text min-w-0 text-accent hover:underline">
          {item.session.title}
        </PageLink>
        <PageLink href={item.drop.href} className="text-accent hover:underline">
          Line that went
        </PageLink>
        <PageLink href={item.need.href} className="text-accent hover:underline">
          Line that needed it
        </PageLink>
        <Button kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide the evidence' : 'Show the evidence'}
        </Button>
        <Button kind="quiet" disabled={busy} onClick={mark}>
          {item.refused ? 'It is a need' : 'Not a need'}
        </Button>
      </p>
      {item.refused && (
        <p className="text-label text-muted">Kept. The next run leaves it out of the needs.</p>
      )}
      {problem !== null && (
        <p role="status" className="text-table text-attention">
          {problem}
        </p>
      )}
      {isOpen && <Evidence item={item} />}
    </li>
  )
}

function Evidence({ item }: { item: RegretItem }) {
  const { data, error } = useQuery(evidenceQuery(item))
  if (error !== null) return <p className="text-table text-attention">{error.message}</p>
  if (data === undefined) return <Skeleton className="h-24" />
  return (
    <div className="grid gap-3 md:grid-cols-2">
      <Stretch title="What went" excerpt={data.drop} />
      <Stretch title="What the call wrote" excerpt={data.need} />
    </div>
  )
}

function Stretch({ title, excerpt }: { title: string; excerpt: Excerpt }) {
  return (
    <figure className="min-w-0 rounded-md border border-line">
      <figcaption className="border-b border-line px-3 py-1.5 text-label font-medium text-muted">
        {title}
      </figcaption>
      {excerpt.problem === null ? (
        <pre className="isolate-text max-h-72 overflow-auto px-3 py-2 text-label break-words whitespace-pre-wrap">
          <HostileText text={excerpt.before} />
          <mark className="rounded-sm bg-attention-soft px-0.5 text-text">
            <HostileText text={excerpt.mark} />
          </mark>
          <HostileText text={excerpt.after} />
        </pre>
      ) : (
        <p className="px-3 py-2 text-table text-attention">{excerpt.problem}</p>
      )}
    </figure>
  )
}
