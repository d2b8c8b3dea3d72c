import { type Frame, hasFailed } from '../../tokens/frame'
import { counted, groupedDigits } from '../../words/amounts'
import { type Detector, detector, type ExaminedSession, type FoundSign } from '../detector'
import { byAdvice, moveLine } from '../remedies/offered'
import { evidenceOf, NO_COST, newTally, noteTime } from '../tally'

/** Below this share of the line at which the runtime compacts, a compaction is early. */
const EARLY = 0.5
/** So many of them are a habit: one or two were asked for. */
const LEAST_EARLY = 3
/** Compactions that are remembered. */
const MOST_REMEMBERED = 32

/** A call, as far as its line depends on it. */
type LinedCall = Pick<Frame, 'provider' | 'model' | 'window' | 'at'>

type State = {
  last: (LinedCall & { tokens: number; call: number; overflow: boolean }) | null
  early: {
    entryId: string | null
    line: number
    at: number | null
    call: number
    tokens: number
    of: LinedCall
  }[]
  compactions: number
}

const COMPACTION_EARLY: Detector<State> = {
  kind: 'compaction-early',
  title: 'Compactions come too early',
  about:
    'The conversation is summarised while there is much room left. Details are lost for nothing, and the cache has to be written anew.',
  signs:
    'Three compactions or more of a measured prompt below half of the line at which the runtime compacts by itself; those that it notes as asked for, and those after a refused prompt, do not count.',
  start: () => ({ last: null, early: [], compactions: 0 }),
  callChanges: ['last'],
  call: (state, { frame, isOverflow: overflow }) => {
    const { provider, model, window, at, total, output, call } = frame
    if (hasFailed(frame) || total.value === null) {
      if (state.last !== null) state.last.overflow = overflow
      return
    }
    if (total.basis !== 'measured') {
      state.last = null
      return
    }
    const tokens = total.value + (output.value ?? 0)
    state.last = { provider, model, window, at, tokens, call, overflow }
  },
  boundary: (state, { kind, at }, { id, line, ours }) => {
    const { last } = state
    state.last = null
    if (kind !== 'compaction') return
    state.compactions += 1
    if (last === null || ours || last.overflow) return
    const { tokens, call, provider, model, window, at: callAt } = last
    const of = { provider, model, window, at: callAt }
    state.early.push({ entryId: id, line, at, call, tokens, of })
    // The fullest ones are the least likely to be early.
    if (state.early.length > MOST_REMEMBERED)
      state.early.splice(
        state.early.reduce((most, one, i, all) => (one.tokens > (all[most]?.tokens ?? 0) ? i : most), 0),
        1,
      )
  },
  find: (state, session) => findEarly(state, session),
}

export const compactionEarly = detector(COMPACTION_EARLY)

function findEarly({ early, compactions }: State, { index, lineOf, runtime }: ExaminedSession): FoundSign[] {
  // Neither reasons nor lines have to be known where there are too few.
  if (early.length < LEAST_EARLY) return []
  const reasons = new Map(index?.recorded?.map(({ entryId, reason }) => [entryId, reason]))
  const tally = newTally()
  let lowest: { tokens: number; limit: number } | null = null
  for (const { entryId, line, at, call, tokens, of } of early) {
    const reason = entryId === null ? undefined : reasons.get(entryId)
    const limit = lineOf(of)
    if (limit === null || tokens >= limit * EARLY || (reason !== undefined && reason !== 'auto-threshold'))
      continue
    noteTime(tally, { call, line, at })
    if (lowest === null || tokens < lowest.tokens) lowest = { tokens, limit }
  }
  if (tally.times < LEAST_EARLY || lowest === null) return []
  return [
    {
      subject: '',
      cause: runtime,
      severity: 'low',
      confidence: 'possible',
      evidence: evidenceOf(tally, { before: lowest.tokens, after: null }),
      cost: NO_COST,
      firstSeen: tally.firstAt,
      lastSeen: tally.lastAt,
      sentence: `${groupedDigits(tally.times)} of ${counted(compactions, 'compaction')} came below half of the line: the earliest at ${groupedDigits(lowest.tokens)} tokens, where the runtime compacts from ${groupedDigits(lowest.limit)} on.`,
      remedies: [
        byAdvice('Ask for a compaction later, or not at all: the runtime does it at its own line.'),
        ...moveLine(runtime, 'up', 'If a setting does it: move its line up.'),
      ],
    },
  ]
}
