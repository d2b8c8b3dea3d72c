import { hasFailed } from '../../tokens/frame'
import type { Usd } from '../../units/units'
import { counted, groupedDigits, priceInWords } from '../../words/amounts'
import { type Detector, detector } from '../detector'
import { keepLess, moveLine } from '../remedies/offered'
import { addCost, costOfTally, evidenceOf, newTally, noteTime, type SignTally } from '../tally'

/** One that does not pay back happens; from so many on it is a habit. */
const LEAST_UNPAID = 2

/** A compaction and the calls since. Dollars are of prompts alone. */
type Open = {
  line: number
  at: number | null
  call: number
  /** The prompt before it, the first one after it, and the sum of those that followed. */
  beforeUsd: Usd
  firstUsd: Usd | null
  laterUsd: Usd
  later: number
  errorPct: number
}

type State = { lastUsd: Usd | null; open: Open | null; tally: SignTally; paid: number; needed: number }

const UNPROFITABLE: Detector<State> = {
  kind: 'compaction-unprofitable',
  title: 'Compactions do not pay back',
  about:
    'After a compaction the prompt is written into the cache anew, at a higher price. It takes some calls until the smaller prompts have made up for it; here the next compaction came before.',
  signs:
    'Twice or more: what the first call after a compaction cost above the later ones is more than the calls up to the next compaction saved, at the prices of this session. What the summary itself cost comes on top and is unknown.',
  start: () => ({ lastUsd: null, open: null, tally: newTally(), paid: 0, needed: 0 }),
  callChanges: ['open'],
  call: (state, { frame, answer, promptUsd, usdErrorPct }) => {
    // Without a cache a smaller prompt is cheaper at once.
    const cached = (answer.usage?.cacheRead ?? 0) + (answer.usage?.cacheWrite ?? 0) > 0
    if (promptUsd === null || hasFailed(frame)) return
    state.lastUsd = cached ? promptUsd : null
    const { open } = state
    if (open === null) return
    if (!cached) state.open = null
    else if (open.firstUsd === null)
      Object.assign(open, { firstUsd: promptUsd, errorPct: usdErrorPct, call: frame.call })
    else {
      open.laterUsd += promptUsd
      open.later += 1
    }
  },
  boundary: (state, { kind, at }, { line }) => {
    settle(state)
    const { lastUsd } = state
    state.lastUsd = null
    state.open =
      kind === 'reset' || lastUsd === null
        ? null
        : { line, at, call: 0, beforeUsd: lastUsd, firstUsd: null, laterUsd: 0, later: 0, errorPct: 0 }
  },
  // The last compaction has not ended: it may still pay back.
  find: ({ tally, paid, needed }, { runtime }) => {
    if (tally.times < LEAST_UNPAID) return []
    const cost = costOfTally(tally)
    const { times, firstAt, lastAt } = tally
    return [
      {
        subject: '',
        cause: runtime,
        severity: times > paid ? 'medium' : 'low',
        confidence: 'likely',
        evidence: evidenceOf(tally),
        cost,
        firstSeen: firstAt,
        lastSeen: lastAt,
        sentence: `${groupedDigits(times)} of ${counted(times + paid, 'compaction')} had not paid back when the next one came.${needed > 0 ? ` It would have taken up to ${counted(needed, 'call')}.` : ''}${priceInWords(cost.usd)}`,
        remedies: [
          ...moveLine(runtime, 'up', 'Compact later: each compaction then saves over more calls.'),
          ...keepLess(runtime),
        ],
      },
    ]
  },
}

export const compactionUnprofitable = detector(UNPROFITABLE)

/** Judges the compaction that the next one ends. */
function settle(state: State): void {
  const { open, tally } = state
  if (open === null || open.firstUsd === null || open.later === 0) return
  const usual = open.laterUsd / open.later
  const saving = open.beforeUsd - usual
  const extra = Math.max(0, open.firstUsd - usual)
  const lost = extra - saving * (open.later + 1)
  if (lost <= 0) {
    state.paid += 1
    return
  }
  if (saving > 0) state.needed = Math.max(state.needed, Math.ceil(extra / saving))
  noteTime(tally, { call: open.call, line: open.line, at: open.at })
  addCost(tally, { tokens: 0, errorPct: 0, usd: lost, usdErrorPct: open.errorPct })
}
