import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { PageLink } from '@/components/ui/page-link'

export default function NotFound() {
  return (
    <Card>
      <EmptyState title="There is no such page">
        <p>
          A session may have gone with its store, or the address is not complete.{' '}
          <PageLink href="/sessions" className="text-accent underline">
            All sessions
          </PageLink>
        </p>
      </EmptyState>
    </Card>
  )
}
