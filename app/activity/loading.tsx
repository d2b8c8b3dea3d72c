import { Card } from '@/components/ui/card'
import { LoadingNote, Skeleton } from '@/components/ui/skeleton'

export default function ActivityLoading() {
  return (
    <>
      <LoadingNote what="the logs" />
      <div className="grid gap-4 lg:grid-cols-2">
        <Card>
          <Skeleton className="h-56 w-full" />
        </Card>
        <Card>
          <Skeleton className="h-56 w-full" />
        </Card>
      </div>
    </>
  )
}
