import { spanInWords } from '../../words/amounts'
import { byAdvice } from '../remedies/offered'
import { shownName } from '../shown-name'
import { NO_COST } from '../tally'
import type { StoreDetector, StoreSession } from './store-facts'

/** No client holds a lock so long for one turn's writing. */
const LONGEST_HOLD = 60 * 60_000

export const staleLock: StoreDetector = {
  kind: 'stale-lock',
  title: 'A lock was left behind, or is held very long',
  about:
    'A lock file beside a transcript says that somebody writes to it. While it is there, runtimes wait or fail, and nothing is repaired or compacted.',
  signs:
    'The process that a lock file names has ended or is another one now, or it cannot be read; or a living process has held it for more than an hour.',
  find: ({ sessions, now, storeId }) =>
    sessions.flatMap((session) => {
      const { lock } = session
      if (lock === null) return []
      const held = Math.max(0, now - lock.since)
      if (lock.stale === null && held < LONGEST_HOLD) return []
      return [
        {
          session,
          subject: session.transcriptId,
          cause: `${storeId} ${lock.stale === null ? 'held' : 'left'}`,
          severity: lock.stale === null ? ('low' as const) : ('medium' as const),
          confidence: lock.stale === null ? ('possible' as const) : ('certain' as const),
          evidence: {
            ...{ times: 1, calls: [], lines: [], before: null, after: null },
            transcripts: [{ id: session.transcriptId, at: lock.since }],
          },
          cost: NO_COST,
          firstSeen: lock.since,
          lastSeen: now,
          sentence: sentenceOf(session, lock, held),
          remedies: [
            byAdvice(
              lock.stale === null
                ? 'End the process if it hangs; while it lives, its lock is respected.'
                : 'The next write of the runtime, or one of ours, takes it away; where nothing is at work, the .lock file can be deleted.',
            ),
          ],
        },
      ]
    }),
}

function sentenceOf(
  { sessionId }: StoreSession,
  { stale, pid, command }: NonNullable<StoreSession['lock']>,
  held: number,
): string {
  const name = shownName(sessionId)
  if (stale !== null) return `The lock of ${name} was left behind ${spanInWords(held)} ago: ${stale}.`
  const who = command === null ? '' : ` (${shownName(command)})`
  return `Process ${pid ?? '?'}${who} has held the lock of ${name} for ${spanInWords(held)}.`
}
