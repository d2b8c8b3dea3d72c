import type { Tokens } from '../../units/units'
import { counted, groupedDigits } from '../../words/amounts'
import { type EffectWatch, newEffectWatch, watchBoundary, watchCall, watchEntry } from '../compaction-effect'
import { type Detector, detector } from '../detector'
import { byAction, keepLess, moveLine } from '../remedies/offered'
import { addPaid, costOfTally, evidenceOf, newTally, noteTime, type SignTally } from '../tally'

/** A compaction that leaves more than this share of the prompt has freed nothing to speak of. */
const HARDLY_FREED = 0.9
/** Of a smaller prompt there is nothing to free: what is before the conversation is most of it. Tokens. */
const LEAST_TO_FREE: Tokens = 4_000
/** One may be asked for too soon; from so many on it is a habit, and from so many on the agent does little else. */
const [LEAST_TIMES, OFTEN, ALWAYS] = [2, 3, 5]

type State = {
  watch: EffectWatch
  tally: SignTally
  compactions: number
  worst: { before: Tokens; after: Tokens } | null
}

const FREES_NOTHING: Detector<State> = {
  kind: 'compaction-frees-nothing',
  title: 'Compactions free nothing',
  about:
    'The prompt is as large after a compaction as before it. The summary was paid for, details are gone, and the next compaction comes at once.',
  signs:
    'Twice or more: after a compaction the next prompt as its provider measured it, less what came in between, is still more than 90 % of the one before (of at least 4,000 tokens). Prompts that the provider cuts do not count.',
  start: () => ({ watch: newEffectWatch(), tally: newTally(), compactions: 0, worst: null }),
  sees: ['assistant', 'units'],
  entry: ({ watch }, entry) => watchEntry(watch, entry),
  boundary: (state, boundary, { line }) => {
    if (boundary.kind !== 'reset') state.compactions += 1
    watchBoundary(state.watch, boundary, line)
  },
  callChanges: ['watch', 'tally'],
  call: (state, call) => {
    const effect = watchCall(state.watch, call)
    if (effect === null || effect.isCut) return
    const { before, after, line, at, nextCall } = effect
    if (before < LEAST_TO_FREE || after <= before * HARDLY_FREED) return
    noteTime(state.tally, { call: nextCall, line, at })
    addPaid(state.tally, call, after, 10)
    if (state.worst === null || before > state.worst.before) state.worst = { before, after }
  },
  find: ({ tally, compactions, worst }, { runtime }) => {
    if (tally.times < LEAST_TIMES || worst === null) return []
    const { times, firstAt, lastAt } = tally
    const { before, after } = worst
    return [
      {
        subject: '',
        cause: runtime,
        severity: times >= ALWAYS ? 'high' : times >= OFTEN ? 'medium' : 'low',
        confidence: 'likely',
        evidence: evidenceOf(tally, { before: Math.round(before), after: Math.round(after) }),
        cost: costOfTally(tally),
        firstSeen: firstAt,
        lastSeen: lastAt,
        sentence: `${groupedDigits(times)} of ${counted(compactions, 'compaction')} left the prompt as large as it was: at the largest, ${groupedDigits(before)} tokens before and ${groupedDigits(after)} after.`,
        remedies: [
          ...keepLess(runtime),
          ...moveLine(runtime, 'up', 'Compact later, where a setting has moved the line down.'),
          byAction('prune', 'Take out what fills the kept part: large tool results stay as they are in it.'),
        ],
      },
    ]
  },
}

export const compactionFreesNothing = detector(FREES_NOTHING)
