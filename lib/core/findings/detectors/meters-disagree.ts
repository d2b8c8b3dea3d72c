import { hasFailed } from '../../tokens/frame'
import { groupedDigits } from '../../words/amounts'
import { type Detector, detector } from '../detector'
import { byAdvice } from '../remedies/offered'
import { NO_COST } from '../tally'

/** The index may be of before or after the answer, and of a message that came since: less is no contradiction. */
const [LEAST_RATIO, LEAST_APART] = [1.5, 10_000]
/** The index is written when a run ends; one that is older than the last call by more says nothing of it. */
const SAME_TIME = 10 * 60_000

type State = { prompt: number; output: number; call: number; at: number | null; boundary: boolean }

const METERS: Detector<State> = {
  kind: 'meters-disagree',
  title: 'The meter of the runtime contradicts the record',
  about:
    'The runtime notes how full the context is, and goes by it when it decides to compact. Here its note is far from what the provider reported for the last call.',
  signs:
    'The size that the index calls fresh differs from the last reported prompt (with and without its answer) by half or more and 10,000 tokens or more, and no compaction came since.',
  start: () => ({ prompt: 0, output: 0, call: 0, at: null, boundary: false }),
  call: (state, { frame }) => {
    const { total, output, call, at } = frame
    if (hasFailed(frame) || total.basis !== 'measured') return
    state.prompt = total.value
    state.output = output.value ?? 0
    state.call = call
    state.at = at
    state.boundary = false
  },
  boundary: (state) => {
    state.boundary = true
  },
  find: ({ prompt, output, call, at, boundary }, { index, storeId, state }) => {
    const noted = index?.totalTokens
    if (noted === undefined || noted <= 0 || index?.totalTokensFresh === false || boundary || prompt <= 0)
      return []
    if (
      state !== 'live' ||
      (at !== null && index?.updatedAt !== undefined && index.updatedAt < at - SAME_TIME)
    )
      return []
    const most = prompt + output
    const ratio = noted > most ? noted / most : noted < prompt ? prompt / noted : 1
    const apart = noted > most ? noted - most : prompt - noted
    if (ratio < LEAST_RATIO || apart < LEAST_APART) return []
    return [
      {
        subject: '',
        cause: `${storeId} ${noted > most ? 'more' : 'less'}`,
        severity: 'medium',
        confidence: 'likely',
        evidence: { times: 1, calls: [call], lines: [], before: noted, after: prompt },
        cost: NO_COST,
        firstSeen: at,
        lastSeen: at,
        sentence: `The runtime notes ${groupedDigits(noted)} tokens in the context, the provider reported ${groupedDigits(prompt)} for call ${groupedDigits(call)}: compactions will come too ${noted > most ? 'early' : 'late'}.`,
        remedies: [
          byAdvice(
            'Update the runtime: sums over several calls have been noted as the size of one. The figures here go by the transcript.',
          ),
        ],
      },
    ]
  },
}

export const metersDisagree = detector(METERS)
