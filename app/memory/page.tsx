import type { Metadata } from 'next'
import { addFactAction, editFactAction, forgetFactAction } from '@/app/memory/actions'
import { MemoryScreen } from '@/components/memory/memory-screen'
import { ErrorState } from '@/components/ui/error-state'
import { attempt } from '@/lib/server/door/attempt'
import { getMemory } from '@/lib/server/memory/memory'

export const metadata: Metadata = { title: 'Memory' }

const ACTIONS = { add: addFactAction, edit: editFactAction, forget: forgetFactAction }

export default async function MemoryPage({ searchParams }: PageProps<'/memory'>) {
  const query = [(await searchParams).q].flat()[0] ?? ''
  const view = await attempt(() => getMemory(query))
  if (!view.ok) return <ErrorState title="The memory cannot be read" detail={view.problem} />
  return <MemoryScreen initial={view.value} actions={ACTIONS} />
}
