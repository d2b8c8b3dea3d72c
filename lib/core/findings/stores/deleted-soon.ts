import { counted } from '../../words/amounts'
import { MOST_SHOWN } from '../finding'
import { archiveTranscripts, byAction, byAdvice, keepTranscripts } from '../remedies/offered'
import { NO_COST } from '../tally'
import type { StoreDetector } from './store-facts'

const DAY_MS = 86_400_000
/** How far ahead is looked, and what is close. */
const [AHEAD, CLOSE] = [7 * DAY_MS, 2 * DAY_MS]

export const deletedSoon: StoreDetector = {
  kind: 'deleted-soon',
  title: 'Transcripts will be deleted soon',
  about:
    'The runtime deletes transcripts by their age when it tidies up. What is in them can be neither read nor brought back afterwards.',
  signs:
    'By its settings, or by its defaults, the runtime deletes a transcript within seven days, and the archive of Plimsoll is off.',
  find: ({ sessions, now, isArchived, storeId, runtime }) => {
    if (isArchived) return []
    const due = sessions
      .flatMap((session) => (session.deletion === null ? [] : [{ session, ...session.deletion }]))
      .filter(({ at }) => at <= now + AHEAD)
      .sort((a, b) => a.at - b.at)
    const [first] = due
    if (first === undefined) return []
    const day = new Date(Math.max(first.at, now)).toISOString().slice(0, 10)
    const close = due.filter(({ at }) => at <= now + CLOSE).length
    return [
      {
        session: first.session,
        subject: '',
        cause: storeId,
        severity: close > 0 ? 'medium' : 'low',
        confidence: 'certain',
        evidence: {
          ...{ times: due.length, calls: [], lines: [], before: null, after: null },
          transcripts: due.slice(0, MOST_SHOWN).map(({ session, at }) => ({ id: session.transcriptId, at })),
        },
        cost: NO_COST,
        firstSeen: now,
        lastSeen: now,
        sentence: `${counted(due.length, 'transcript')} will be deleted by the runtime within 7 days, ${counted(close, 'transcript')} of them within 2, the first from ${day} on (${first.rule}).`,
        remedies: [
          ...keepTranscripts(runtime),
          archiveTranscripts(runtime),
          ...(runtime === 'openclaw'
            ? [byAdvice('Or raise the limits of session.maintenance in openclaw.json.')]
            : []),
          byAction('archive', 'See what the archive has kept.'),
        ],
      },
    ]
  },
}
