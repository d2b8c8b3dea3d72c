import { shortDigest } from '../../history/short-digest'
import { counted } from '../../words/amounts'
import { type Detector, detector, type FoundSign } from '../detector'
import type { Severity } from '../finding'
import { byAdvice } from '../remedies/offered'
import { shownName } from '../shown-name'
import { addPaid, costOfTally, evidenceOf, newTally, noteTime, type SignTally } from '../tally'

/** So many failures in a row with the same error; from so many on the agent does nothing else. */
const [LEAST_REPEATS, MANY_REPEATS] = [3, 8]
/** Tools whose failures are followed at a time. */
const MOST_TOOLS = 24
/** What is compared of an error. UTF-16 units. */
const MOST_ERROR = 160

/** Errors that say nothing of what failed: a search without a match ends like this, whatever was searched for. */
const WORDLESS =
  /^\W*(\(no output\)\s*)?(command (exited|failed)|exit(ed)?)( with)?( exit)?( (code|status))?:? ?-?\d*\W*$/i

type Streak = { error: string; shown: string; length: number; lines: number[]; at: number | null }

/** What failed again and again, kept after its streak is over. */
type Repeated = { name: string; shown: string; longest: number; tally: SignTally }

type State = {
  /** By tool; '' is the model itself. */
  streaks: { [tool: string]: Streak }
  repeated: { [tool: string]: Repeated }
  /** Tools whose streak goes on: the calls in between pay for it. */
  failing: string[]
}

const REPEATED: Detector<State> = {
  kind: 'repeated-failure',
  title: 'The same error again and again',
  about:
    'A tool, or the model itself, fails with the same error several times in a row. Each attempt is paid for, and its error stays in the window.',
  signs:
    'Three failures or more in a row of one tool with the same error, numbers aside; a success of the tool ends the row. Errors without words, such as an exit code alone, do not count. For the model: three calls in a row that end in the same error.',
  start: () => ({ streaks: {}, repeated: {}, failing: [] }),
  sees: ['result'],
  entry: (state, entry) => {
    if (entry.role !== 'toolResult') return
    const { type, toolName, isError, preview, line, at } = entry
    if (type !== 'message' || toolName === undefined) return
    if (!isError) note(state, toolName, null, line, at)
    else if (preview !== undefined && !WORDLESS.test(preview)) note(state, toolName, preview, line, at)
  },
  callChanges: ['streaks', 'repeated', 'failing'],
  wakes: ['error', 'failed'],
  rests: ({ streaks, failing }) => failing.length === 0 && isEmpty(streaks),
  call: (state, call) => {
    const { stopReason, at } = call.frame
    const { errorMessage, line } = call.answer
    const failed = stopReason === 'error'
    if (stopReason !== 'aborted') note(state, '', failed ? (errorMessage ?? 'unknown error') : null, line, at)
    for (const name of state.failing) {
      const repeated = state.repeated[name]
      const { total } = call.frame
      if (repeated !== undefined && total.value !== null && !failed)
        addPaid(repeated.tally, call, total.value, total.basis === 'estimated' ? total.errorPct : 0)
    }
  },
  find: ({ repeated }) => Object.values(repeated).map(signOf),
}

export const repeatedFailure = detector(REPEATED)

function isEmpty(streaks: State['streaks']): boolean {
  for (const _ in streaks) return false
  return true
}

/** @param name of a tool; '' is the model itself */
function note(state: State, name: string, error: string | null, line: number, at: number | null): void {
  const { streaks, repeated } = state
  // A tool may be called like what every object has.
  const tool = `=${name}`
  if (error === null) {
    if (streaks[tool] === undefined) return
    delete streaks[tool]
    state.failing = state.failing.filter((one) => one !== tool)
    return
  }
  const sign = shortDigest(error.slice(0, MOST_ERROR).replace(/[0-9a-f]{8,}|\d+/gi, '#'))
  let streak = streaks[tool]
  if (streak === undefined || streak.error !== sign) {
    if (streak === undefined && Object.keys(streaks).length >= MOST_TOOLS) return
    state.failing = state.failing.filter((one) => one !== tool)
    streak = { error: sign, shown: error.slice(0, MOST_ERROR), length: 0, lines: [], at }
    streaks[tool] = streak
  }
  streak.length += 1
  if (streak.length < LEAST_REPEATS) {
    streak.lines.push(line)
    return
  }
  const known = repeated[tool]
  if (known === undefined && Object.keys(repeated).length >= MOST_TOOLS) return
  const one = known ?? { name, shown: streak.shown, longest: 0, tally: newTally() }
  repeated[tool] = one
  if (streak.length === LEAST_REPEATS) {
    state.failing.push(tool)
    for (const before of streak.lines) noteTime(one.tally, { line: before, at: streak.at })
  }
  noteTime(one.tally, { line, at })
  if (streak.length > one.longest) Object.assign(one, { longest: streak.length, shown: streak.shown })
}

function signOf({ name: tool, shown, longest, tally }: Repeated): FoundSign {
  const severity: Severity =
    longest >= MANY_REPEATS ? 'high' : longest >= LEAST_REPEATS + 2 ? 'medium' : 'low'
  const what = tool === '' ? 'Calls of the model' : shownName(tool)
  const error = shownName(shown) === '' ? 'an error without words' : `“${shownName(shown)}”`
  return {
    subject: tool,
    cause: `${tool} ${shortDigest(shown.replace(/[0-9a-f]{8,}|\d+/gi, '#'))}`,
    severity,
    confidence: 'certain',
    evidence: evidenceOf(tally),
    cost: costOfTally(tally),
    firstSeen: tally.firstAt,
    lastSeen: tally.lastAt,
    sentence: `${what} failed ${counted(tally.times, 'time')} with the same error, up to ${counted(longest, 'time')} in a row: ${error}.`,
    remedies: [
      byAdvice(
        tool === ''
          ? 'Mend what the provider complains of: key, model name, quota, or the transcript itself.'
          : 'Tell the agent what is wrong, or mend the tool: it does not find out by itself.',
      ),
    ],
  }
}
