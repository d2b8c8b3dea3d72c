import { type Category, FIXED_CATEGORIES } from '../../tokens/category'
import { counted, groupedDigits, percentInWords, priceInWords } from '../../words/amounts'
import { type Detector, detector } from '../detector'
import { byAdvice } from '../remedies/offered'
import { addPaid, costOfTally, evidenceOf, newTally, noteTime, type SignTally } from '../tally'

/** After so many calls it shows in the bill. */
const LEAST_CALLS = 10
/** So much before the conversation, and this share of what is sent. */
const [LEAST_FIXED, LEAST_SHARE] = [12_000, 0.4]
/** From this share of the window on there is little room left. */
const MUCH_OF_WINDOW = 0.25

const NAMES: { readonly [C in (typeof FIXED_CATEGORIES)[number]]: string } = {
  'system-prompt': 'system prompt',
  'tool-schemas': 'tool schemas',
  skills: 'skills',
  'bootstrap-file': 'workspace files',
}

type State = {
  tally: SignTally
  sent: number
  last: { [C in Category]?: number }
  window: number
  windowKnown: boolean
}

const FIXED: Detector<State> = {
  kind: 'fixed-overhead',
  title: 'What is before the conversation is most of each call',
  about:
    'System prompt, tool schemas, skills and workspace files are sent with every call, whatever is talked about, and no compaction makes them smaller.',
  signs:
    'Over ten calls or more they are 12,000 tokens or more on average, and 40 % of all that was sent. Only what the runtime reports, or the transcript holds, is counted.',
  start: () => ({ tally: newTally(), sent: 0, last: {}, window: 0, windowKnown: false }),
  callChanges: ['tally'],
  call: (state, call) => {
    const { categories, total, errorPct, window, call: number, at } = call.frame
    if (total.value === null) return
    // Each is named: a loop over the names takes several times as long, and this is done for every call.
    const { 'system-prompt': system = 0, 'tool-schemas': tools = 0 } = categories
    const { skills = 0, 'bootstrap-file': files = 0 } = categories
    const fixed = system + tools + skills + files
    if (fixed <= 0) return
    state.sent += total.value
    addPaid(state.tally, call, fixed, errorPct ?? 0)
    noteTime(state.tally, { call: number, at })
    state.last = { 'system-prompt': system, 'tool-schemas': tools, skills, 'bootstrap-file': files }
    state.window = window.tokens
    state.windowKnown = window.source !== 'default'
  },
  find: ({ tally, sent, last, window, windowKnown }, { storeId, agent, runtime }) => {
    const { times, tokens, firstAt, lastAt } = tally
    const each = tokens / Math.max(1, times)
    if (times < LEAST_CALLS || each < LEAST_FIXED || tokens < sent * LEAST_SHARE) return []
    const cost = costOfTally(tally)
    const parts = FIXED_CATEGORIES.flatMap((name) => {
      const part = last[name] ?? 0
      return part > 0 ? [`${NAMES[name]} ${groupedDigits(part)}`] : []
    })
    const much = windowKnown && each >= window * MUCH_OF_WINDOW
    return [
      {
        subject: '',
        cause: `${storeId} ${agent ?? runtime}`,
        severity: much ? 'medium' : 'low',
        confidence: 'likely',
        evidence: evidenceOf(tally, { before: Math.round(each), after: windowKnown ? window : null }),
        cost,
        firstSeen: firstAt,
        lastSeen: lastAt,
        sentence: `About ${groupedDigits(each)} tokens of each call are before the conversation (${parts.join(', ')}): ${percentInWords(tokens / sent)} of all that ${counted(times, 'call')} sent.${priceInWords(cost.usd)}`,
        remedies: [
          byAdvice(
            'Leave out tools, skills and workspace files that this agent does not need, and shorten those that it does.',
          ),
        ],
      },
    ]
  },
}

export const fixedOverhead = detector(FIXED)
