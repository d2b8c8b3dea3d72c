import { measured, UNKNOWN } from '../../tokens/figure'
import { hasFailed } from '../../tokens/frame'
import { counted } from '../../words/amounts'
import { type Detector, detector } from '../detector'
import { byAdvice, keepLess, moveLine } from '../remedies/offered'
import { evidenceOf, newTally, noteTime, type SignTally } from '../tally'

/** Compactions with no more answered calls between them are one chain. */
const CALLS_IN_CHAIN = 2
/** So many in a row are a chain, and so many a loop. */
const [LEAST_CHAIN, LOOP] = [3, 5]

type State = {
  /** Answered calls since the last compaction; null: there was none. */
  calls: number | null
  /** Compactions of the chain that goes on, and where its first ones were. */
  run: { at: number | null; line: number; afterCall: number }[]
  length: number
  longest: number
  tally: SignTally
}

const CHAIN: Detector<State> = {
  kind: 'compaction-chain',
  title: 'Compactions run in a chain',
  about:
    'One compaction follows another with hardly a call between them. Each is paid for and forgets a bit more; the agent gets no work done.',
  signs:
    'Three compactions or more in a row with at most two answered calls between each; from five on it is a loop.',
  start: () => ({ calls: null, run: [], length: 0, longest: 0, tally: newTally() }),
  wakes: ['boundary'],
  rests: ({ calls }) => calls === null,
  call: (state, { frame }) => {
    if (state.calls !== null && !hasFailed(frame)) state.calls += 1
  },
  boundary: (state, { kind, at, afterCall }, { line }) => {
    if (kind === 'reset') {
      Object.assign(state, { calls: null, run: [], length: 0 })
      return
    }
    const goesOn = state.calls !== null && state.calls <= CALLS_IN_CHAIN
    state.length = goesOn ? state.length + 1 : 1
    state.run = [...(goesOn ? state.run : []), { at, line, afterCall }].slice(-LEAST_CHAIN)
    state.calls = 0
    state.longest = Math.max(state.longest, state.length)
    // The first ones are counted once it is a chain, the others as they come.
    const counts =
      state.length === LEAST_CHAIN ? state.run : state.length > LEAST_CHAIN ? state.run.slice(-1) : []
    for (const one of counts) noteTime(state.tally, { call: one.afterCall, line: one.line, at: one.at })
  },
  find: ({ tally, longest }, { runtime }) => {
    if (tally.times === 0) return []
    const { times, firstAt, lastAt } = tally
    return [
      {
        subject: '',
        cause: runtime,
        severity: longest >= LOOP ? 'high' : 'medium',
        confidence: 'certain',
        evidence: evidenceOf(tally),
        // What a compaction's own request took is in no transcript.
        cost: { tokens: UNKNOWN, usd: UNKNOWN, calls: measured(times), unpriced: times },
        firstSeen: firstAt,
        lastSeen: lastAt,
        sentence: `${counted(times, 'compaction')} came in chains, up to ${counted(longest, 'compaction')} in a row with at most ${counted(CALLS_IN_CHAIN, 'call')} between them.`,
        remedies: [
          byAdvice('Look at what fills the prompt right after a compaction: it is above the line at once.'),
          ...moveLine(runtime, 'up', 'Compact later, where a setting has moved the line down.'),
          ...keepLess(runtime),
        ],
      },
    ]
  },
}

export const compactionChain = detector(CHAIN)
