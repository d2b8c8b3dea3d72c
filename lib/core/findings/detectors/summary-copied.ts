import { unitsOf } from '../../tokens/category'
import type { EntryFact } from '../../transcript/entry'
import type { SummaryMark } from '../../transcript/marks/text-marks'
import { counted, percentInWords } from '../../words/amounts'
import { type Detector, detector } from '../detector'
import { byAction, byAdvice } from '../remedies/offered'
import { evidenceOf, NO_COST, newTally, noteTime, type SignTally } from '../tally'

/** A summary of so many sentences, of which at least this share are those of the one before. */
const [LEAST_SENTENCES, COPIED_SHARE] = [6, 0.95]
/** So much came between the two: calls, and units of what was said and done. */
const [LEAST_CALLS, LEAST_UNITS] = [5, 4_000]

type State = {
  /** Sentences of the last summary; empty: there is none. */
  before: readonly number[]
  calls: number
  units: number
  /** The summary is in an entry behind its boundary. */
  open: { calls: number; units: number } | null
  tally: SignTally
  /** The largest share that was copied. */
  share: number
}

const COPIED: Detector<State> = {
  kind: 'summary-copied',
  title: 'A summary copies the one before',
  about:
    'A compaction wrote down the summary of the compaction before it once more. What was said and done in between is in neither.',
  signs:
    'A summary of six sentences or more of which 95 % or more are word for word those of the summary before, although five calls and 4,000 tokens or more came between them.',
  start: () => ({ before: [], calls: 0, units: 0, open: null, tally: newTally(), share: 0 }),
  sees: ['units', 'marks'],
  entry: (state, entry, marks) => {
    const { type, units } = entry
    if (type === 'compaction') return
    if (marks?.summary !== undefined) {
      if (state.open !== null) judge(state, entry, marks.summary, state.open)
      return
    }
    if (units !== undefined) state.units += unitsOf(units)
  },
  call: (state) => {
    state.calls += 1
    state.open = null
  },
  boundary: (state, { kind }, entry, marks) => {
    const between = { calls: state.calls, units: state.units }
    state.calls = 0
    state.units = 0
    state.open = null
    if (kind !== 'compaction') {
      state.before = []
      return
    }
    const summary = marks?.summary
    if (summary !== undefined && summary.sentences.length > 0) judge(state, entry, summary, between)
    else state.open = between
  },
  find: ({ tally, share }, { runtime }) => {
    if (tally.times === 0) return []
    return [
      {
        subject: '',
        cause: runtime,
        severity: tally.times >= 2 ? 'high' : 'medium',
        confidence: 'certain',
        evidence: evidenceOf(tally),
        cost: NO_COST,
        firstSeen: tally.firstAt,
        lastSeen: tally.lastAt,
        sentence: `${counted(tally.times, 'summary', 'summaries')} ${tally.times === 1 ? 'is' : 'are'} the one before once more (up to ${percentInWords(share)} of its sentences): what came between is in ${tally.times === 1 ? 'neither' : 'none of them'}.`,
        remedies: [
          byAdvice(
            'Let a larger model write the summaries, or one whose window holds what is to be summarised beside the summary before.',
          ),
          byAction('recover', 'What was summarised is still in the transcript: bring back what is needed.'),
        ],
      },
    ]
  },
}

export const summaryCopied = detector(COPIED)

function judge(
  state: State,
  { line, at }: EntryFact,
  { sentences }: SummaryMark,
  { calls, units }: { readonly calls: number; readonly units: number },
): void {
  const { before } = state
  state.open = null
  if (sentences.length === 0) return
  state.before = sentences
  const isLong = sentences.length >= LEAST_SENTENCES && calls >= LEAST_CALLS && units >= LEAST_UNITS
  if (!isLong || before.length === 0) return
  const known = new Set(before)
  const share = sentences.filter((one) => known.has(one)).length / sentences.length
  if (share < COPIED_SHARE) return
  noteTime(state.tally, { line, at })
  state.share = Math.max(state.share, share)
}
