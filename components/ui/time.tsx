'use client'

import { useSyncExternalStore } from 'react'
import { absoluteTimeLocal, absoluteTimeUtc, relativeTime } from '@/lib/view/text/time'
import { nowOnServer, subscribeToNow, useRenderTime } from './now'

/**
 * A moment, relative to now, with the absolute time on hover. The server and the first client render use the time of the
 * request and UTC, so that both print the same; after that it follows the reader's clock and time zone.
 */
export function Moment({
  at,
  missing = 'unknown',
  className,
}: {
  /** Milliseconds since the epoch. */
  at: number | null
  missing?: string
  className?: string
}) {
  const renderedAt = useRenderTime()
  const label = useSyncExternalStore(
    subscribeToNow,
    () => (at === null ? missing : relativeTime(at, Date.now())),
    () => (at === null ? missing : relativeTime(at, nowOnServer(renderedAt))),
  )
  const title = useSyncExternalStore(
    subscribeToNow,
    () => (at === null ? undefined : absoluteTimeLocal(at)),
    () => (at === null ? undefined : absoluteTimeUtc(at)),
  )
  if (at === null) return <span className={className}>{label}</span>
  return (
    <time dateTime={new Date(at).toISOString()} title={title} className={className}>
      {label}
    </time>
  )
}
