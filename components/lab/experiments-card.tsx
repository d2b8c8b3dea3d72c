import { buttonClasses } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { PageLink } from '@/components/ui/page-link'
import { Moment } from '@/components/ui/time'
import type { ExperimentItem } from '@/lib/view/lab/lab-page'
import { labAddress } from '@/lib/view/lab/lab-place'

/** The experiments that were made, newest first, and the way to a new one. */
export function ExperimentsCard({
  experiments,
  open,
}: {
  experiments: readonly ExperimentItem[]
  open: string | null
}) {
  return (
    <Card
      title="Experiments"
      note={experiments.length === 0 ? 'None was made yet' : 'Newest first'}
      flush
      aside={
        open !== null && (
          <PageLink href="/lab" className={buttonClasses('plain')}>
            New
          </PageLink>
        )
      }
    >
      <ul aria-label="Experiments" className="max-h-96 overflow-y-auto">
        {experiments.map(({ id, name, createdAt, about }) => (
          <li key={id} className="border-t border-line">
            <PageLink
              href={labAddress({ experiment: id })}
              aria-current={id === open ? 'true' : undefined}
              className="flex flex-col gap-0.5 px-4 py-2 text-table hover:bg-inset aria-[current=true]:bg-accent-soft"
            >
              <span className="isolate-text font-medium">{name}</span>
              <span className="flex flex-wrap justify-between gap-x-3 text-label text-muted">
                {about}
                <Moment at={createdAt} />
              </span>
            </PageLink>
          </li>
        ))}
      </ul>
    </Card>
  )
}
