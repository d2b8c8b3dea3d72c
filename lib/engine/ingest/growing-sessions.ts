import type { SignFold, SignSnapshot } from '../../core/findings/sign-fold'
import type { Cursor } from '../read/ports'

/** What detectors had gathered at a place of a session. Plain JSON. */
export type SavedSigns = { readonly position: string; readonly signs: SignSnapshot }

/** What is kept of a session that grows. */
export type GrowingSession = {
  /** How far it was read, see `positionOf`. */
  readonly position: string
  /** What detectors have gathered up to there. */
  readonly signs: SignFold
  /** Entries since the signs were written down. */
  readonly unsaved: number
  /** What was found, as it was handed over to be written; '': nothing was. */
  readonly foundJson: string
}

/** Sessions that grow at a time, of which what was gathered is kept; the one that grew longest ago goes. */
const MOST_KEPT = 64

/**
 * What was gathered of sessions that grow line by line, kept in memory between their lines. It is used only where the
 * database stopped at the very same place: whatever failed in between, signs are then made from what is written down.
 */
export class GrowingSessions {
  private readonly kept = new Map<string, GrowingSession>()

  /** What is kept of a session, which is now the caller's; null: nothing of this place in it. */
  take(transcriptId: string, cursor: Cursor): GrowingSession | null {
    const known = this.kept.get(transcriptId)
    if (known === undefined) return null
    this.kept.delete(transcriptId)
    return known.position === positionOf(cursor) ? known : null
  }

  keep(transcriptId: string, session: GrowingSession): void {
    this.kept.set(transcriptId, session)
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= MOST_KEPT) return
      this.kept.delete(oldest)
    }
  }

  /** Hands over the signs that are further than what is written down, as `SavedSigns` in JSON, and forgets all. */
  settle(write: (transcriptId: string, signsJson: string) => void): void {
    const sessions = [...this.kept]
    this.kept.clear()
    for (const [transcriptId, { position, signs, unsaved }] of sessions)
      if (unsaved > 0) write(transcriptId, savedSigns(position, signs))
  }
}

/** Tells one place of a source from every other: the same bytes before it, and as many entries. */
export function positionOf({ offset, seq, tailHash }: Cursor): string {
  return `${seq} ${offset} ${tailHash}`
}

/** `SavedSigns` as JSON: fixed at this moment, whatever the fold does next. */
export function savedSigns(position: string, signs: SignFold): string {
  return JSON.stringify({ position, signs: signs.snapshot() } satisfies SavedSigns)
}
