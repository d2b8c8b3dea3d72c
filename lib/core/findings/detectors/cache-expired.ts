import { extraAtRates, readAnew, SHORTEST_CACHE } from '../../tokens/cache-loss'
import { counted, priceInWords, spanInWords, tokensInWords } from '../../words/amounts'
import { type Detector, detector } from '../detector'
import { byAction, byAdvice, pruneResults } from '../remedies/offered'
import { addCost, costOfTally, evidenceOf, newTally, noteTime, type SignTally } from '../tally'

/** So many times it is a habit; or once with so many tokens. */
const [LEAST_TIMES, LEAST_TOKENS] = [3, 150_000]

type State = { tally: SignTally; shortest: number | null; largest: number }

const EXPIRED: Detector<State> = {
  kind: 'cache-expired',
  title: 'The cache expires between calls',
  about:
    'Providers keep a prompt in their cache for some minutes. After a longer pause all of it is read anew, at the full price.',
  signs:
    'After more than five minutes, with the same model and no compaction between, less than half of the common part is read from the cache: three times, or for 150,000 tokens in all.',
  start: () => ({ tally: newTally(), shortest: null, largest: 0 }),
  seesCalls: ['cached'],
  callChanges: ['tally'],
  call: (state, { frame, answer, before, afterBoundary, rates, usdErrorPct }) => {
    const { usage } = answer
    if (usage == null || before === null || afterBoundary || before.at === null || frame.at === null) return
    const pause = frame.at - before.at
    if (pause <= SHORTEST_CACHE) return
    const anew = readAnew(before, frame, usage)
    if (anew === 0) return
    noteTime(state.tally, { call: frame.call, at: frame.at })
    const usd = rates === null ? null : extraAtRates(usage, anew, rates)
    addCost(state.tally, { tokens: anew, errorPct: 0, usd, usdErrorPct })
    state.shortest = Math.min(state.shortest ?? pause, pause)
    state.largest = Math.max(state.largest, anew)
  },
  find: ({ tally, shortest, largest }, { runtime }) => {
    const { times, tokens, firstAt, lastAt } = tally
    if (shortest === null || (times < LEAST_TIMES && tokens < LEAST_TOKENS)) return []
    const cost = costOfTally(tally)
    return [
      {
        subject: '',
        cause: runtime,
        severity: tokens >= LEAST_TOKENS ? 'medium' : 'low',
        confidence: 'likely',
        evidence: evidenceOf(tally, { before: Math.round(largest) }),
        cost,
        firstSeen: firstAt,
        lastSeen: lastAt,
        sentence: `After ${counted(times, 'pause')} of ${spanInWords(shortest)} or more the cache had expired, and ${tokensInWords(cost.tokens)} were read anew.${priceInWords(cost.usd)}`,
        remedies: [
          ...pruneResults(runtime),
          byAction('compact', 'Compact before a long pause: what is read anew afterwards is then small.'),
          byAdvice('Where the provider offers it, keep the cache for an hour.'),
        ],
      },
    ]
  },
}

export const cacheExpired = detector(EXPIRED)
