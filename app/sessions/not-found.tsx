import { buttonClasses } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { PageLink } from '@/components/ui/page-link'

export default function SessionNotFound() {
  return (
    <Card title="Session">
      <EmptyState
        title="There is no such session"
        action={
          <PageLink href="/sessions" className={buttonClasses('plain')}>
            All sessions
          </PageLink>
        }
      >
        <p>Its transcript may have been moved or deleted, or it belongs to a store that is no longer read.</p>
      </EmptyState>
    </Card>
  )
}
