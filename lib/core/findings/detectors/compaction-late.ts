import { type Frame, hasFailed } from '../../tokens/frame'
import { counted, groupedDigits } from '../../words/amounts'
import { type Detector, detector, type ExaminedSession, type FoundSign } from '../detector'
import { byAction, byAdvice } from '../remedies/offered'
import { addCost, costOfTally, evidenceOf, newTally, noteTime } from '../tally'

/** A runtime looks when a turn ends: so many ends above its line without a compaction are late. */
const LEAST_LATE = 3
/** Calls that may lie above a line: from this share of their window on. */
const FROM_SHARE = 0.4
/** Stretches between two compactions that are remembered, and calls of each. */
const [MOST_STRETCHES, MOST_CALLS] = [8, 24]

type FullCall = Pick<Frame, 'provider' | 'model' | 'window' | 'at'> & { tokens: number; call: number }

type State = { now: FullCall[]; before: FullCall[][] }

const COMPACTION_LATE: Detector<State> = {
  kind: 'compaction-late',
  title: 'Compactions come too late, or not at all',
  about:
    'Prompts lie above the line at which the runtime is set to compact, turn after turn, and nothing happens: the next one may be refused, and each costs the most.',
  signs: 'Three turns or more end above the line of the runtime without a compaction between them.',
  start: () => ({ now: [], before: [] }),
  callChanges: ['now'],
  call: ({ now }, { frame }) => {
    const { provider, model, window, at, total, call, stopReason } = frame
    if (hasFailed(frame) || stopReason === 'toolUse' || total.basis !== 'measured') return
    if (window.tokens <= 0 || total.value < window.tokens * FROM_SHARE) return
    now.push({ provider, model, window, at, tokens: total.value, call })
    if (now.length > MOST_CALLS) now.shift()
  },
  boundary: (state) => {
    if (state.now.length >= LEAST_LATE) state.before.push(state.now)
    if (state.before.length > MOST_STRETCHES) state.before.shift()
    state.now = []
  },
  find: (state, session) => findLate(state, session),
}

export const compactionLate = detector(COMPACTION_LATE)

function findLate({ now, before }: State, { lineOf, runtime, state }: ExaminedSession): FoundSign[] {
  const tally = newTally()
  let longest = 0
  let fullest: { tokens: number; limit: number } | null = null
  for (const stretch of [...before, now]) {
    // No line has to be known where there are too few.
    if (stretch.length < LEAST_LATE) continue
    const above: { call: number; at: number | null; tokens: number; limit: number }[] = []
    for (const called of stretch) {
      const limit = lineOf(called)
      const { call, at, tokens } = called
      if (limit !== null && tokens >= limit) above.push({ call, at, tokens, limit })
    }
    if (above.length < LEAST_LATE) continue
    longest = Math.max(longest, above.length)
    for (const { call, at, tokens, limit } of above) {
      noteTime(tally, { call, at })
      addCost(tally, { tokens: tokens - limit, errorPct: 0, usd: null, usdErrorPct: 0 })
      if (fullest === null || tokens > fullest.tokens) fullest = { tokens, limit }
    }
  }
  if (fullest === null) return []
  const goesOn = state === 'live' && now.length >= LEAST_LATE
  return [
    {
      subject: '',
      cause: runtime,
      severity: goesOn ? 'medium' : 'low',
      confidence: 'likely',
      evidence: evidenceOf(tally, { before: fullest.tokens, after: fullest.limit }),
      cost: costOfTally(tally),
      firstSeen: tally.firstAt,
      lastSeen: tally.lastAt,
      sentence: `${counted(tally.times, 'turn')} ended above the line at which the runtime compacts (${groupedDigits(fullest.limit)} tokens), up to ${groupedDigits(longest)} in a row; the fullest prompt had ${groupedDigits(fullest.tokens)}.`,
      remedies: [
        ...(goesOn ? [byAction('compact', 'Compact the session now.')] : []),
        byAdvice('Look whether compaction is switched off or fails there.'),
      ],
    },
  ]
}
