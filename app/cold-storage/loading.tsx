import { Card } from '@/components/ui/card'
import { LoadingNote, Skeleton } from '@/components/ui/skeleton'

export default function ColdStorageLoading() {
  return (
    <>
      <LoadingNote what="cold storage" />
      <Skeleton className="h-8 w-72 max-w-full" />
      <Card title="Dropped chunks">
        <Skeleton className="h-96 w-full" />
      </Card>
    </>
  )
}
