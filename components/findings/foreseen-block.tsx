'use client'

import { useQuery } from '@tanstack/react-query'
import { HostileText } from '@/components/entry/hostile-text'
import { ErrorState } from '@/components/ui/error-state'
import type { PickName } from '@/lib/core/replay/tune/tune-state'
import { foreseenQuery } from './foreseen-query'

/** What a change would have meant for recorded sessions. It is replayed behind the dialog, which does not wait for it. */
export function ForeseenBlock({
  subject,
  finding,
  pick,
  seen,
}: {
  subject: string
  finding: string
  pick: PickName | null
  seen: string
}) {
  const { data, error, isPending } = useQuery(foreseenQuery({ subject, finding, pick, seen }))
  return (
    <section aria-label="By replay" className="flex max-w-[90ch] flex-col gap-1 text-table">
      <h3 className="font-medium">By replay of the newest sessions</h3>
      {isPending && (
        <p role="status" className="text-muted">
          Replaying them with the settings as they are and as they would be …
        </p>
      )}
      {error !== null && <ErrorState title="It could not be replayed" detail={error.message} />}
      {data?.kind === 'refused' && <p className="isolate-text text-muted">{data.problem}</p>}
      {data?.kind === 'foreseen' &&
        data.lines.map((line) => (
          <p key={line} className="tnum isolate-text break-words">
            <HostileText text={line} />
          </p>
        ))}
    </section>
  )
}
