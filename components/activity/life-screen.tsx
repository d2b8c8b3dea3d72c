import { Badge } from '@/components/ui/badge'
import { buttonClasses } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { PageLink } from '@/components/ui/page-link'
import { Moment } from '@/components/ui/time'
import type { LifeView } from '@/lib/view/activity/chunk-life'
import { formatCount } from '@/lib/view/text/format'

/** A chunk from birth to expiry, as transcript, logs and cold storage tell it. */
export function LifeScreen({ lives }: { lives: readonly LifeView[] }) {
  if (lives.length === 0)
    return (
      <Card>
        <EmptyState title="This chunk is in no log and in no cold storage">
          <p>Neither the logs nor cold storage hold its id. Logs that were rotated away no longer have it.</p>
        </EmptyState>
      </Card>
    )
  return lives.map((life) => <Life key={life.key} life={life} />)
}

function Life({ life }: { life: LifeView }) {
  const { shownId, shownSession, sessionHref, tokens, state, isRecoverable, coldHref, until, events } = life
  return (
    <Card
      title={<span className="isolate-text">{`Chunk ${shownId}`}</span>}
      note={tokens === null ? 'of unknown size' : `${formatCount(tokens)} tokens`}
      aside={
        coldHref !== null && (
          <PageLink href={coldHref} className={buttonClasses('plain')}>
            {isRecoverable ? 'Look at it, bring it back' : 'Look at it'}
          </PageLink>
        )
      }
    >
      <p className="mb-3 flex flex-wrap items-center gap-2 text-table">
        <Badge tone={isRecoverable ? 'accent' : 'neutral'}>{state}</Badge>
        {sessionHref === null ? (
          <span className="isolate-text">{shownSession}</span>
        ) : (
          <PageLink href={sessionHref} className="isolate-text text-accent hover:underline">
            {shownSession}
          </PageLink>
        )}
        {until !== null && (
          <span className="text-muted">
            {isRecoverable ? 'expires' : 'its record expires'} <Moment at={until} />
          </span>
        )}
      </p>
      <ol aria-label="What happened to it" className="flex flex-col border-l-2 border-line">
        {events.map(({ key, what, at, facts }) => (
          <li key={key} className="relative flex flex-col gap-0.5 py-1.5 pl-4 text-table">
            <span aria-hidden="true" className="absolute top-3 -left-[5px] size-2 rounded-full bg-accent" />
            <p>
              <span className="font-medium">{what}</span>{' '}
              <span className="text-muted">
                <Moment at={at} missing="time unknown" />
              </span>
            </p>
            {facts.length > 0 && (
              <p className="isolate-text text-label text-muted">
                {facts.map(({ name, value }) => `${name} ${value}`).join(' · ')}
              </p>
            )}
          </li>
        ))}
      </ol>
    </Card>
  )
}
