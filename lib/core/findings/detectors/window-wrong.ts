import { hasFailed } from '../../tokens/frame'
import { modelKey } from '../../transcript/fold/fold-totals'
import { groupedDigits } from '../../words/amounts'
import { type Detector, detector, type ExaminedSession, type FoundSign } from '../detector'
import { setWindow } from '../remedies/offered'
import { shownName } from '../shown-name'
import { NO_COST } from '../tally'

/** What providers say of their limit when a prompt does not fit. The number is in tokens. */
const LIMITS: readonly RegExp[] = [
  /maximum (?:context|prompt) length (?:is|of) (\d[\d,]*)/i,
  /prompt is too long: [\d,]+ tokens > (\d[\d,]*) maximum/i,
  /context (?:length|window|size) (?:is only|of|is) (\d[\d,]*)/i,
  /input token count.{0,80}(?:exceeds|supports up to).{0,60}?(\d[\d,]{3,})/i,
]
/** Settings are round numbers: what is off by less was meant. */
const NEARLY = 0.05
const [LEAST_WINDOW, MOST_WINDOW] = [1_000, 20_000_000]

type State = {
  /** The limit that a provider stated last, and where. Tokens. */
  stated: {
    limit: number
    model: string | null
    provider: string | null
    line: number
    call: number
    at: number | null
  } | null
}

const WRONG: Detector<State> = {
  kind: 'window-wrong',
  title: 'The window is set to another size than the model has',
  about:
    'The runtime works with a window that is smaller or larger than the real one. Too small, and it forgets for nothing; too large, and prompts are refused or cut.',
  signs:
    'The provider took a prompt larger than the window in the index of the runtime by 5 % or more, or it stated a limit that is smaller than that by as much.',
  start: () => ({ stated: null }),
  seesCalls: ['failed'],
  call: (state, { frame, answer }) => {
    const text = answer.errorMessage?.slice(0, 2_000)
    if (text === undefined || !hasFailed(frame)) return
    for (const limit of LIMITS) {
      const [, digits] = limit.exec(text) ?? []
      const value = digits === undefined ? Number.NaN : Number(digits.replaceAll(',', ''))
      if (!(value >= LEAST_WINDOW && value <= MOST_WINDOW)) continue
      const { model, provider, call, at } = frame
      state.stated = { limit: value, model, provider, call, line: answer.line, at }
      return
    }
  },
  find: (state, session) => findWrong(state, session),
}

export const windowWrong = detector(WRONG)

function findWrong({ stated }: State, { index, totals, runtime, storeId }: ExaminedSession): FoundSign[] {
  const set = index?.contextWindow
  const { provider, model, updatedAt } = totals
  // The figure of the index is of the model that it names.
  if (set === undefined || set <= 0 || (index?.model !== undefined && index.model !== model)) return []
  const accepted = totals.accepted[modelKey(provider, model)] ?? 0
  const common = { subject: '', confidence: 'certain', cost: NO_COST, provider, model } as const
  const name = shownName(model ?? 'the model')
  if (accepted > set * (1 + NEARLY))
    return [
      {
        ...common,
        cause: `${storeId} ${model} ${set}`,
        severity: 'medium',
        evidence: { times: 1, calls: [], lines: [], before: set, after: accepted },
        firstSeen: updatedAt,
        lastSeen: updatedAt,
        sentence: `The window of ${name} is set to ${groupedDigits(set)} tokens, but it took a prompt of ${groupedDigits(accepted)}: the agent compacts before it has to.`,
        remedies: setWindow(runtime, accepted, `Set the window of ${name} to what the model has.`),
      },
    ]
  if (stated === null || stated.model !== model || stated.limit >= set * (1 - NEARLY)) return []
  return [
    {
      ...common,
      cause: `${storeId} ${model} ${set}`,
      severity: 'high',
      evidence: { times: 1, calls: [stated.call], lines: [stated.line], before: set, after: stated.limit },
      firstSeen: stated.at,
      lastSeen: stated.at,
      sentence: `The window of ${name} is set to ${groupedDigits(set)} tokens, but its provider takes ${groupedDigits(stated.limit)} at most: prompts are refused before the runtime compacts.`,
      remedies: setWindow(
        runtime,
        stated.limit,
        `Set the window of ${name} to ${groupedDigits(stated.limit)}.`,
      ),
    },
  ]
}
