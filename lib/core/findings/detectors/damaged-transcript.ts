import { counted } from '../../words/amounts'
import { type Detector, detector } from '../detector'
import { byAction } from '../remedies/offered'
import { evidenceOf, NO_COST, newTally, noteTime, type SignTally } from '../tally'

type State = { tally: SignTally; header: boolean }

const DAMAGED: Detector<State> = {
  kind: 'damaged-transcript',
  title: 'The transcript is damaged',
  about:
    'Lines of the transcript cannot be read, or its first line is missing. What they held is gone for the agent; an upgrade of the runtime may drop everything behind them.',
  signs: 'A line is no JSON object, or a transcript of pi or OpenClaw does not begin with its header.',
  start: () => ({ tally: newTally(), header: false }),
  sees: ['odd'],
  entry: (state, { type, line, at }) => {
    if (type === 'session') state.header = true
    if (type === 'unreadable') noteTime(state.tally, { line, at })
  },
  find: ({ tally, header }, { runtime, totals }) => {
    const headless = !header && totals.entries > 0 && (runtime === 'openclaw' || runtime === 'pi')
    if (tally.times === 0 && !headless) return []
    const at = tally.lastAt ?? totals.updatedAt
    const parts = [
      ...(tally.times > 0 ? [`${counted(tally.times, 'line')} of the transcript cannot be read`] : []),
      ...(headless ? ['its header is missing'] : []),
    ]
    const sentence = parts.join(', and ')
    return [
      {
        subject: '',
        cause: runtime,
        severity: headless || tally.times > 5 ? 'high' : 'medium',
        confidence: 'certain',
        evidence: evidenceOf(tally),
        cost: NO_COST,
        firstSeen: tally.firstAt ?? totals.startedAt,
        lastSeen: at,
        sentence: `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`,
        remedies: [
          byAction(
            'repair',
            'Check it for repair: what can be saved is shown first, and the file is kept as a backup.',
          ),
        ],
      },
    ]
  },
}

export const damagedTranscript = detector(DAMAGED)
