import { Card } from '@/components/ui/card'
import { LoadingNote, Skeleton } from '@/components/ui/skeleton'

export default function SessionLoading() {
  return (
    <>
      <LoadingNote what="the session" />
      <Card title="Window over calls">
        <Skeleton className="h-[340px] w-full" />
      </Card>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
        <Card>
          <Skeleton className="h-96 w-full" />
        </Card>
        <Card>
          <Skeleton className="h-96 w-full" />
        </Card>
      </div>
    </>
  )
}
