import { Card } from '@/components/ui/card'
import { LoadingNote, Skeleton } from '@/components/ui/skeleton'

/** Stands in while the server reads a page. */
export default function Loading() {
  return (
    <Card>
      <LoadingNote what="the page" />
      <div className="flex flex-col gap-3">
        <Skeleton className="h-4 w-1/4" />
        <Skeleton className="h-4 w-3/4" />
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-48 w-full" />
      </div>
    </Card>
  )
}
