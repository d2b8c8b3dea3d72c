import type { Milliseconds } from '../units/units'
import type { SessionFinding } from './finding'

/** A finding, or all of one cause, that the operator does not want to see, and why. */
export type FindingMute = {
  /** Id of the finding that was named. */
  readonly finding: string
  /** All findings of this cause; null: only the one that was named. */
  readonly cause: string | null
  readonly reason: string
  readonly at: Milliseconds
  /** From when on it shows again; null: never. */
  readonly until: Milliseconds | null
}

/** The longest reason. UTF-16 units. */
export const MOST_REASON = 500

/** Why a finding is muted at a moment; null: it is not. */
export function muteOf(
  { id, cause }: Pick<SessionFinding, 'id' | 'cause'>,
  mutes: readonly FindingMute[],
  now: Milliseconds,
): FindingMute | null {
  const applies = (mute: FindingMute) => (mute.cause === null ? mute.finding === id : mute.cause === cause)
  return mutes.find((mute) => applies(mute) && (mute.until === null || now < mute.until)) ?? null
}
