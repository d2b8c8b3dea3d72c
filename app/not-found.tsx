import Link from 'next/link'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'

export default function NotFound() {
  return (
    <Card>
      <EmptyState title="There is no such page">
        <p>
          A session may have gone with its store, or the address is not complete.{' '}
          <Link href="/sessions" className="text-accent underline">
            All sessions
          </Link>
        </p>
      </EmptyState>
    </Card>
  )
}
