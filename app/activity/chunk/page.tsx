import type { Metadata } from 'next'
import { LifeScreen } from '@/components/activity/life-screen'
import { ErrorState } from '@/components/ui/error-state'
import { getChunkLives } from '@/lib/server/activity/chunk-life'
import { attempt } from '@/lib/server/door/attempt'

export const metadata: Metadata = { title: 'Life of a chunk' }

export default async function ChunkPage({ searchParams }: PageProps<'/activity/chunk'>) {
  const search = await searchParams
  const [id, of] = [[search.id].flat()[0] ?? '', [search.of].flat()[0] ?? null]
  const lives = await attempt(() => getChunkLives(id, of))
  if (!lives.ok) return <ErrorState title="The database cannot be read" detail={lives.problem} />
  return <LifeScreen lives={lives.value} />
}
