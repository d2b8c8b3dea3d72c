import { extraAtRates, readAnew, SHORTEST_CACHE } from '../../tokens/cache-loss'
import { FIXED_CATEGORIES } from '../../tokens/category'
import { counted, percentInWords, priceInWords, tokensInWords } from '../../words/amounts'
import { type Detector, detector } from '../detector'
import { byAdvice } from '../remedies/offered'
import { addCost, costOfTally, evidenceOf, newTally, noteTime, type SignTally } from '../tally'

/** So many breaks, and this share of the calls with a cache: a changed tool list breaks it now and then. */
const [LEAST_BREAKS, LEAST_SHARE] = [3, 0.1]
/** Smaller prompts are not worth caching, and providers do not. Tokens. */
const LEAST_PROMPT = 4_096
/** Less of the fixed part than this, read from the cache: the break lies within it. */
const FIXED_READ = 0.5

type State = { tally: SignTally; cached: number; read: number; fixed: number }

const PREFIX_CHANGED: Detector<State> = {
  kind: 'cache-prefix-changed',
  title: 'The cache breaks although calls follow each other',
  about:
    'A provider reads from its cache what begins like the prompt before. Something near the beginning changes from call to call, so most of each prompt is paid at the full price.',
  signs:
    'Three times or more, and in a tenth of the calls: within five minutes of the call before, with the same model and no compaction between, less than half of the common part is read from the cache.',
  start: () => ({ tally: newTally(), cached: 0, read: 0, fixed: 0 }),
  seesCalls: ['cached'],
  callChanges: ['tally'],
  call: (state, { frame, answer, before, afterBoundary, rates, usdErrorPct }) => {
    const { usage } = answer
    if (usage == null || before === null || afterBoundary) return
    if ((before.cacheRead ?? 0) + (before.cacheWrite ?? 0) > 0) state.cached += 1
    if (before.at === null || frame.at === null || frame.at - before.at > SHORTEST_CACHE) return
    const anew = readAnew(before, frame, usage)
    if (anew === 0 || (before.total.value ?? 0) < LEAST_PROMPT) return
    noteTime(state.tally, { call: frame.call, at: frame.at })
    const usd = rates === null ? null : extraAtRates(usage, anew, rates)
    addCost(state.tally, { tokens: anew, errorPct: 0, usd, usdErrorPct })
    state.read += usage.cacheRead
    for (const name of FIXED_CATEGORIES) state.fixed += frame.categories[name] ?? 0
  },
  find: ({ tally, cached, read, fixed }) => {
    const { times, firstAt, lastAt } = tally
    if (times < LEAST_BREAKS || times < cached * LEAST_SHARE) return []
    const cost = costOfTally(tally)
    const where =
      fixed === 0
        ? 'where it changes is unknown'
        : read < fixed * FIXED_READ
          ? 'the change is in what is before the conversation: system prompt, tools or workspace files'
          : 'the change is in the conversation: something is put in or taken out before its end'
    return [
      {
        subject: '',
        cause: fixed > 0 && read < fixed * FIXED_READ ? 'fixed' : 'conversation',
        severity: times >= cached * 0.5 ? 'high' : 'medium',
        confidence: 'likely',
        evidence: evidenceOf(tally),
        cost,
        firstSeen: firstAt,
        lastSeen: lastAt,
        sentence: `The cache broke at ${counted(times, 'call')} (${percentInWords(times / Math.max(1, cached))} of those that could use it) although they followed each other: ${tokensInWords(cost.tokens)} were paid anew; ${where}.${priceInWords(cost.usd)}`,
        remedies: [
          byAdvice(
            'Keep what changes (times, recalled texts, tool lists) out of the beginning of the prompt: put it behind the conversation.',
          ),
        ],
      },
    ]
  },
}

export const cachePrefixChanged = detector(PREFIX_CHANGED)
