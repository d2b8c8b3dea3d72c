import { coldAtRates, SHORTEST_CACHE } from '../../tokens/cache-loss'
import { measured, UNKNOWN } from '../../tokens/figure'
import type { ListedRates } from '../../tokens/listed-models'
import type { Usage } from '../../transcript/entry'
import type { Milliseconds, Tokens } from '../../units/units'
import { priceInWords, spanInWords, tokensInWords } from '../../words/amounts'
import { type Detector, detector } from '../detector'
import { byAction } from '../remedies/offered'

/** A prompt of fewer tokens is cheap to read anew. */
const LEAST_PROMPT = 100_000
/** A session that was not used for longer is not about to go on. */
const MOST_IDLE: Milliseconds = 3 * 86_400_000

type State = {
  /** The last call with a price: what a token of a prompt costs of which nothing is cached goes by it. */
  priced: { usage: Usage; rates: ListedRates; tokens: Tokens; errorPct: number } | null
  at: Milliseconds | null
  call: number
  cached: boolean
}

const RESUME: Detector<State> = {
  kind: 'resume-after-idle',
  title: 'Going on after the pause reads all anew',
  about:
    'The cache of the provider has expired. The next call pays for its whole prompt at the full price, and a compaction first would make it small.',
  signs:
    'A live session with a prompt of 100,000 tokens or more, used with a cache, was left alone for more than five minutes and at most three days.',
  start: () => ({ priced: null, at: null, call: 0, cached: false }),
  call: (state, { frame, answer, rates, usdErrorPct }) => {
    const total = frame.total.value ?? 0
    const read = answer.usage?.cacheRead ?? 0
    state.at = frame.at
    state.call = frame.call
    state.cached = read + (answer.usage?.cacheWrite ?? 0) > 0
    if (answer.usage == null || rates === null || total <= 0) return
    state.priced = { usage: answer.usage, rates, tokens: total, errorPct: usdErrorPct }
  },
  find: ({ priced, at, call, cached }, { state, now, next }) => {
    if (now === null || at === null || !cached || state !== 'live') return []
    const idle = now - at
    if (idle <= SHORTEST_CACHE || idle > MOST_IDLE) return []
    const tokens = next().total
    if (tokens.value === null || tokens.value < LEAST_PROMPT) return []
    const value =
      priced === null ? null : (coldAtRates(priced.usage, priced.rates) / priced.tokens) * tokens.value
    const usd =
      value === null
        ? UNKNOWN
        : ({ value, basis: 'estimated', errorPct: Math.max(10, priced?.errorPct ?? 0) } as const)
    return [
      {
        subject: '',
        cause: '',
        severity: 'low',
        confidence: 'likely',
        evidence: { times: 1, calls: [call], lines: [], before: Math.round(tokens.value), after: null },
        cost: { tokens, usd, calls: measured(1), unpriced: value === null ? 1 : 0 },
        firstSeen: at,
        lastSeen: now,
        sentence: `After ${spanInWords(idle)} the cache has expired: the next call reads ${tokensInWords(tokens)} anew.${priceInWords(usd)}`,
        remedies: [
          byAction(
            'compact',
            'Compact the session before it goes on; the dry run says how large the next prompt is then.',
          ),
        ],
      },
    ]
  },
}

export const resumeAfterIdle = detector(RESUME)
