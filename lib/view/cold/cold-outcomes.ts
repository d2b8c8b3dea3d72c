import type { BackPlace } from '../../core/cold/place-back'
import { formatQuantity } from '../text/format'
import { absoluteTimeUtc } from '../text/time'

/** Where a chunk is that came back into a transcript, after "is back". */
export function backWords(place: BackPlace): string {
  if (place.kind === 'neighbourhood') return 'where it was'
  return `at the end of the context${place.why === null ? '' : ` (${place.why})`}`
}

/** What became of a chunk that was to be kept longer. `until`: milliseconds since the epoch; null: unknown. */
export function extensionWords(
  name: string,
  { kind, until }: { readonly kind: 'extended' | 'unchanged' | 'gone'; readonly until: number | null },
): string {
  if (kind === 'gone')
    return `${name} is not in cold storage any more. It was purged, or its file was removed.`
  const end = until === null ? 'until an unknown time' : `until ${absoluteTimeUtc(until)}`
  const why = kind === 'extended' ? '' : ' Nothing changed: that is at least as long already.'
  return `${name} is kept ${end}.${why}`
}

type PurgeCounts = {
  readonly remove: readonly unknown[]
  readonly keep: number
  readonly removed: number | null
}

/** What a purge removed, or would remove. */
export function purgeWords({ remove, keep, removed }: PurgeCounts): string {
  const stays = formatQuantity(keep, 'chunk')
  return removed === null
    ? `${formatQuantity(remove.length, 'expired chunk')} would be removed for good, ${stays} would stay.`
    : `${formatQuantity(removed, 'expired chunk')} removed for good, ${stays} left.`
}

/** What a purge did not remove although it had expired when it was examined; null where there is nothing. */
export function leftAloneWords({ remove, removed }: PurgeCounts): string | null {
  const stayed = remove.length - (removed ?? remove.length)
  if (stayed <= 0) return null
  return `${formatQuantity(stayed, 'expired chunk')} left alone: kept longer by now, gone, or in a file with several names (hard links).`
}
