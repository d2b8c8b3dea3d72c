import type { Milliseconds } from '../../core/units/units'
import { absoluteTimeUtc } from '../text/time'

/** Who deleted a transcript, as far as it is known, and that it is kept. Without a full stop. */
export function goneWords({ at, rule }: { readonly at: Milliseconds; readonly rule: string | null }): string {
  const when = absoluteTimeUtc(at)
  return rule === null
    ? `Found deleted on ${when}, kept in the archive`
    : `Deleted by the runtime (${rule}), found on ${when}, kept in the archive`
}

/** When a runtime deletes a transcript. */
export function dueWords(at: Milliseconds, now: Milliseconds): string {
  return at <= now ? 'the next time it tidies up' : `after ${absoluteTimeUtc(at)}`
}
