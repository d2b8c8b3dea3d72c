'use client'

import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'next/navigation'
import { ErrorState } from '@/components/ui/error-state'
import { replaceAddress } from '@/components/ui/replace-address'
import type { MemoryView } from '@/lib/view/memory/memory'
import { ConversationsCard } from './conversations-card'
import { EventsCard } from './events-card'
import { FactsCard } from './facts-card'
import { type FactActions, memoryQuery } from './memory-query'
import { TasksCard } from './tasks-card'

/** What agents remember outside of their windows: facts, tasks, what was recalled and why, flushes and checkpoints. */
export function MemoryScreen({ initial, actions }: { initial: MemoryView; actions: FactActions }) {
  const query = useSearchParams().get('q') ?? ''
  const read = useQuery({
    ...memoryQuery(query),
    ...(query === initial.query ? { initialData: initial } : {}),
  })
  const view = read.data ?? initial

  /** The router follows the address without asking the server for the page again. */
  function search(words: string) {
    const text = words.trim() === '' ? '' : `?q=${encodeURIComponent(words)}`
    replaceAddress(`/memory${text}`)
  }

  return (
    <>
      {read.isError && <ErrorState title="The memory could not be read again" detail={read.error.message} />}
      {view.problems.length > 0 && (
        <ErrorState title="Not all of the memory can be read" detail={view.problems.join('\n')} />
      )}
      <FactsCard view={view} query={query} onSearch={search} actions={actions} />
      <TasksCard trees={view.trees} total={view.totals.trees} folders={view.folders} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <EventsCard events={view.events} hasMore={view.hasMoreEvents} />
        <ConversationsCard conversations={view.conversations} total={view.totals.conversations} />
      </div>
    </>
  )
}
