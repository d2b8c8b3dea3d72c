import { hasFailed } from '../../tokens/frame'
import type { EntryFact } from '../../transcript/entry'
import { counted, groupedDigits } from '../../words/amounts'
import { type Detector, detector } from '../detector'
import { byAction, byAdvice } from '../remedies/offered'
import { evidenceOf, NO_COST, newTally, noteTime, type SignTally } from '../tally'

/** A summary with fewer units holds nothing of a prompt of so many tokens. */
const [LEAST_SUMMARY, LEAST_BEFORE] = [60, 12_000]
/** Words with which runtimes and models fill a summary that says nothing. */
const NOTHING_TO_SAY =
  /no prior history|summary (is )?unavailable|no (conversation|messages) to summari[sz]e|nothing to summari[sz]e/i
const SKELETON = /\(none\)|\bnone\b|\bn\/a\b|\(empty\)|\bnot specified\b/gi
/** So many such words at the beginning of a summary: its headings have nothing below them. */
const LEAST_HOLLOW = 3

type State = { before: number; call: number; bare: boolean; tally: SignTally; worst: number; kept: string }

const EMPTY: Detector<State> = {
  kind: 'empty-summary',
  title: 'A summary says nothing',
  about:
    'A compaction took the conversation out of the context and left an empty text, or headings with nothing below them. The agent has forgotten all of it.',
  signs:
    'The summary of a prompt of 12,000 tokens or more is empty or has fewer than 60 units, or its beginning is headings with “none” below them.',
  start: () => ({ before: 0, call: 0, bare: false, tally: newTally(), worst: 0, kept: '' }),
  entry: (state, entry) => {
    if (!state.bare) return
    // The summary is the entry behind its boundary; without one the runtime keeps it elsewhere.
    if (entry.units?.summary !== undefined) judge(state, entry)
    state.bare = false
  },
  call: (state, { frame }) => {
    if (hasFailed(frame) || frame.total.value === null) return
    state.before = frame.total.value
    state.call = frame.call
  },
  boundary: (state, { kind }, entry) => {
    if (kind !== 'compaction') return
    if (entry.bare) state.bare = true
    else judge(state, entry)
  },
  find: ({ tally, worst, kept }, { runtime }) => {
    if (tally.times === 0) return []
    const begins = kept === '' ? 'It is empty.' : `It begins: “${kept}”`
    const size = `of a prompt of ${groupedDigits(worst)} tokens`
    const emptied =
      tally.times === 1
        ? `A compaction ${size} left a summary that says nothing.`
        : `${counted(tally.times, 'compaction')} left a summary that says nothing, one of them ${size}.`
    return [
      {
        subject: '',
        cause: runtime,
        severity: 'high',
        confidence: 'likely',
        evidence: evidenceOf(tally, { before: Math.round(worst), after: null }),
        cost: NO_COST,
        firstSeen: tally.firstAt,
        lastSeen: tally.lastAt,
        sentence: `${emptied} ${begins}`,
        remedies: [
          byAdvice(
            'Let a larger model write the summaries, or one whose window holds what is to be summarised.',
          ),
          byAction('recover', 'What was summarised is still in the transcript: bring back what is needed.'),
        ],
      },
    ]
  },
}

export const emptySummary = detector(EMPTY)

function judge(state: State, { blank, units, preview = '', line, at }: EntryFact): void {
  const size = units?.summary ?? 0
  if (state.before < LEAST_BEFORE) return
  const hollow = (preview.match(SKELETON) ?? []).length >= LEAST_HOLLOW
  if (!blank && size >= LEAST_SUMMARY && !hollow && !NOTHING_TO_SAY.test(preview)) return
  noteTime(state.tally, { call: state.call, line, at })
  if (state.before <= state.worst) return
  state.worst = state.before
  state.kept = preview.slice(0, 80)
}
