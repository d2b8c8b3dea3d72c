import type { Milliseconds, Tokens } from '../units/units'
import type { ColdRecord } from './record'

const DAY = 86_400_000

/** How long the archive of a session that has ended is kept. Days. */
export const ARCHIVE_DAYS = 7
/** Shorter chunks are not worth an archive. Characters. */
export const ARCHIVE_MIN_CHARS = 100
/** `drop_reason` of what was archived. */
export const ARCHIVE_REASON = 'session_archive'

/** The last moment at which a chunk is offered: drop time plus the policy's days. Milliseconds since the epoch. */
export function recoverableUntil(at: number, days: number): number {
  return at + days * DAY
}

/** Whether a chunk is no longer offered. Without a known end it stays. */
export function isExpired({ until }: Pick<ColdRecord, 'until'>, now: Milliseconds): boolean {
  return until !== null && until < now
}

export type PurgePlan<C> = { readonly remove: readonly C[]; readonly keep: number; readonly tokens: Tokens }

/** What a purge would take away: what has expired, and nothing else. Unknown tokens count nothing in `tokens`. */
export function planPurge<C extends Pick<ColdRecord, 'until' | 'tokens'>>(
  chunks: readonly C[],
  now: Milliseconds,
): PurgePlan<C> {
  const remove = chunks.filter((chunk) => isExpired(chunk, now))
  const tokens = remove.reduce((sum, chunk) => sum + (chunk.tokens ?? 0), 0)
  return { remove, keep: chunks.length - remove.length, tokens }
}
