import { counted, groupedDigits } from '../../words/amounts'
import { type Detector, detector } from '../detector'
import { byAction } from '../remedies/offered'
import { NO_COST } from '../tally'

const NOT_FIT: Detector<{ call: number; at: number | null }> = {
  kind: 'will-not-fit',
  title: 'The next call will not fit',
  about: 'The context is larger than the window of the model. The next call will be refused, or cut.',
  signs:
    'The prompt of the next call of a live session, by our estimate and even at the lower end of its band, is larger than the window.',
  start: () => ({ call: 0, at: null }),
  call: (state, { frame }) => {
    state.call = frame.call
    state.at = frame.at
  },
  find: ({ call, at }, { state, next }) => {
    if (state !== 'live' || call === 0) return []
    const { total, window, provider, model } = next()
    if (total.value === null) return []
    if (window.source === 'default' || window.source === 'observed' || window.source === 'cut') return []
    const least = total.basis === 'estimated' ? total.value * (1 - total.errorPct / 100) : total.value
    if (least <= window.tokens) return []
    return [
      {
        subject: '',
        cause: '',
        severity: 'high',
        confidence: 'likely',
        evidence: {
          times: 1,
          calls: [call],
          lines: [],
          before: Math.round(total.value),
          after: window.tokens,
        },
        cost: NO_COST,
        firstSeen: at,
        lastSeen: at,
        provider,
        model,
        sentence: `The next prompt has about ${groupedDigits(total.value)} tokens, and the window ${groupedDigits(window.tokens)}: it is too long by ${counted(Math.round(total.value - window.tokens), 'token')}.`,
        remedies: [byAction('compact', 'Compact the session, or prune it.')],
      },
    ]
  },
}

export const willNotFit = detector(NOT_FIT)
