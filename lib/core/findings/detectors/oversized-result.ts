import type { Tokens } from '../../units/units'
import { counted, groupedDigits, percentInWords } from '../../words/amounts'
import { type Detector, detector } from '../detector'
import { LARGE_RESULT } from '../entry-signs'
import { byAction, byAdvice } from '../remedies/offered'
import { shownName } from '../shown-name'
import { addPaid, costOfTally, evidenceOf, newTally, noteTime, type SignTally } from '../tally'

/** One result that takes this share of the window; fewer tokens than `LARGE_RESULT` never do. */
const LARGE_SHARE = 0.2
/** Large results that are in the prompt at the same time and are followed. */
const MOST_OPEN = 8

type Large = { line: number; at: number | null; tool: string; tokens: Tokens }

type State = {
  open: Large[]
  tally: SignTally
  largest: (Large & { window: Tokens }) | null
  results: number
}

const OVERSIZED: Detector<State> = {
  kind: 'oversized-result',
  title: 'One result fills a fifth of the window',
  about:
    'A single answer of a tool takes so much room that everything else has to go sooner. It is sent again with every call until a compaction.',
  signs: 'One tool result of a fifth of the window or more (and at least 8,000 tokens), by our estimate.',
  start: () => ({ open: [], tally: newTally(), largest: null, results: 0 }),
  sees: ['large'],
  entry: (state, entry) => {
    if (entry.role !== 'toolResult') return
    const { units, line, at, toolName } = entry
    const tokens = units?.['tool-result'] ?? 0
    if (tokens < LARGE_RESULT || state.open.length >= MOST_OPEN) return
    state.open.push({ line, at, tool: toolName ?? 'a tool', tokens })
  },
  boundary: (state) => {
    state.open = []
  },
  callChanges: ['tally'],
  wakes: ['large'],
  rests: ({ open }) => open.length === 0,
  call: (state, call) => {
    const { window, total, categories } = call.frame
    if (state.open.length === 0 || window.source === 'default' || total.value === null) return
    // What came after the answer of this call is not in its prompt.
    const sent = state.open.filter((one) => one.line < call.answer.line)
    const large = sent.filter(({ tokens }) => tokens >= window.tokens * LARGE_SHARE)
    if (large.length === 0) return
    const all = large.reduce((sum, { tokens }) => sum + tokens, 0)
    // A runtime that cuts or clears results sends less of them than is on record.
    const inPrompt = categories['tool-result'] ?? 0
    if (inPrompt < LARGE_RESULT) return
    addPaid(state.tally, call, Math.min(all, inPrompt), 25)
    for (const one of large) {
      if (state.tally.lines.includes(one.line)) continue
      state.results += 1
      noteTime(state.tally, { call: call.frame.call, line: one.line, at: one.at })
      if (state.largest === null || one.tokens > state.largest.tokens)
        state.largest = { ...one, window: window.tokens }
    }
  },
  find: ({ tally, largest, results }) => {
    if (largest === null) return []
    const { tool, tokens, window } = largest
    return [
      {
        subject: '',
        cause: tool,
        severity: results >= 5 || tokens >= window / 2 ? 'medium' : 'low',
        confidence: 'likely',
        evidence: evidenceOf(tally, { before: Math.round(tokens), after: window }),
        cost: costOfTally(tally),
        firstSeen: tally.firstAt,
        lastSeen: tally.lastAt,
        sentence: `${counted(results, 'result')} of a fifth of the window or more ${results === 1 ? 'was' : 'were'} sent with ${counted(tally.paid, 'call')}; the largest, from ${shownName(tool)}, takes about ${groupedDigits(tokens)} tokens (${percentInWords(tokens / window)} of the window).`,
        remedies: [
          byAdvice(
            `Ask ${shownName(tool)} for less: narrower arguments, a part of the file, a limit on its output.`,
          ),
          byAction('prune', 'Cut large results that were used.'),
        ],
      },
    ]
  },
}

export const oversizedResult = detector(OVERSIZED)
