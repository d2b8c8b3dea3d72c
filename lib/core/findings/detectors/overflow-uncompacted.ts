import { measured, UNKNOWN } from '../../tokens/figure'
import { hasFailed } from '../../tokens/frame'
import { counted } from '../../words/amounts'
import { type Detector, detector } from '../detector'
import { byAction, moveLine } from '../remedies/offered'
import { evidenceOf, newTally, noteTime, type SignTally } from '../tally'

/** A runtime compacts after the first refusal; a second one without that says that it did not, or could not. */
const LEAST_REFUSED = 2

type State = {
  row: { call: number; line: number; at: number | null }[]
  longest: number
  tally: SignTally
  open: boolean
}

const UNCOMPACTED: Detector<State> = {
  kind: 'overflow-uncompacted',
  title: 'Prompts are too long, and no compaction comes',
  about:
    'The provider refuses the prompt as too long, and the runtime tries again without having made it shorter: its compaction is off, or fails.',
  signs: 'Two calls or more in a row are refused as too long, with no compaction between them.',
  start: () => ({ row: [], longest: 0, tally: newTally(), open: false }),
  callChanges: ['row', 'tally'],
  wakes: ['failed'],
  rests: ({ row, open }) => row.length === 0 && !open,
  call: (state, { frame, answer, isOverflow }) => {
    if (!isOverflow || !hasFailed(frame)) {
      // Another failure says nothing of the size.
      if (!hasFailed(frame) && state.row.length > 0) state.row = []
      if (!hasFailed(frame)) state.open = false
      return
    }
    state.row.push({ call: frame.call, line: answer.line, at: frame.at })
    state.longest = Math.max(state.longest, state.row.length)
    if (state.row.length < LEAST_REFUSED) return
    state.open = true
    const counts = state.row.length === LEAST_REFUSED ? state.row : state.row.slice(-1)
    for (const one of counts) noteTime(state.tally, one)
    if (state.row.length > 100) state.row.splice(LEAST_REFUSED, 1)
  },
  boundary: (state) => {
    Object.assign(state, { row: [], open: false })
  },
  find: ({ tally, longest, open }, { runtime, state }) => {
    if (tally.times === 0) return []
    const goesOn = open && state === 'live'
    return [
      {
        subject: '',
        cause: runtime,
        severity: goesOn ? 'high' : 'medium',
        confidence: 'likely',
        evidence: evidenceOf(tally),
        cost: { tokens: UNKNOWN, usd: UNKNOWN, calls: measured(tally.times), unpriced: tally.times },
        firstSeen: tally.firstAt,
        lastSeen: tally.lastAt,
        sentence: `${counted(tally.times, 'call')} were refused as too long without a compaction between them, up to ${counted(longest, 'call')} in a row.${goesOn ? ' The session cannot go on.' : ''}`,
        remedies: [
          byAction('compact', 'Compact the session.'),
          ...moveLine(runtime, 'down', 'Let the runtime compact earlier.'),
        ],
      },
    ]
  },
}

export const overflowUncompacted = detector(UNCOMPACTED)
