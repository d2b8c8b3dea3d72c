import type { EntryFact } from '../../transcript/entry'
import type { FoldBoundary } from '../../transcript/fold/fold-step'
import type { FetchMark, SummaryMark } from '../../transcript/marks/text-marks'
import type { Milliseconds, Tokens } from '../../units/units'
import { counted, groupedDigits, priceInWords, tokensInWords } from '../../words/amounts'
import { type Detector, detector } from '../detector'
import { byAction, byAdvice, moveLine } from '../remedies/offered'
import type { SettledCall } from '../settled-call'
import { addPaid, costOfTally, evidenceOf, newTally, noteTime, type SignTally } from '../tally'

/** What is followed: results in the context, results that left it, calls without a result; the oldest go. */
const [MOST_HELD, MOST_OPEN] = [120, 32]
/** So many results, or so many tokens of them, were fetched again. */
const [LEAST_TIMES, LEAST_TOKENS] = [5, 15_000]
/** So many tokens are dear. */
const MANY_TOKENS = 60_000
/** Shorter results say that there was nothing. Tokens. */
const LEAST_RESULT = 40

/** A result that was fetched. Numbers of the mark are hashes. */
type Fetched = {
  readonly key: number
  readonly name: number
  readonly path: number
  readonly seq: number
}

type State = {
  opened: { mark: FetchMark; isAgain: 'no' | 'yes' | 'quoted' }[]
  held: Fetched[]
  left: Fetched[]
  /** Names in the summaries since results left. */
  quoted: number[]
  /** Results that came again, and have not been sent yet. */
  coming: { tokens: Tokens; line: number; at: Milliseconds | null }[]
  tally: SignTally
  named: number
  hosts: number
}

const WANTED_AGAIN: Detector<State> = {
  kind: 'wanted-again',
  title: 'What a compaction took away was fetched again',
  about:
    'Results left the context with a compaction, and the agent asked for the very same ones again. They were paid for twice, and it worked without them in between.',
  signs:
    'Five results or more, or 15,000 tokens of them, left with compactions and came again: the same tool with the same arguments, or the whole of the same file. What was changed in between, what the summary names, and what runtimes read again by themselves (workspace files, memory, skills) is left out.',
  start: () => ({
    ...{ opened: [], held: [], left: [], quoted: [], coming: [] },
    ...{ tally: newTally(), named: 0, hosts: 0 },
  }),
  sees: ['marks', 'result'],
  entry: (state, entry, marks) => {
    const { resultFor } = entry
    if (marks?.summary !== undefined && state.left.length > 0) quote(state, marks.summary.words)
    if (marks?.fetches !== undefined) for (const mark of marks.fetches) ask(state, mark)
    if (resultFor !== undefined && state.opened.length > 0) answer(state, resultFor, entry)
  },
  boundary: (state, boundary, _, marks) => leave(state, boundary, marks?.summary),
  callChanges: ['tally'],
  call: (state, call) => pay(state, call),
  find: ({ tally, named, hosts }, { runtime }) => {
    if (tally.times < LEAST_TIMES && tally.tokens < LEAST_TOKENS) return []
    const cost = costOfTally(tally)
    const besides = [
      ...(named === 0 ? [] : [`${groupedDigits(named)} that the summary named`]),
      ...(hosts === 0 ? [] : [`${groupedDigits(hosts)} that the runtime asks for by itself`]),
    ]
    return [
      {
        subject: '',
        cause: runtime,
        severity: tally.tokens >= MANY_TOKENS ? 'medium' : 'low',
        confidence: 'likely',
        evidence: evidenceOf(tally),
        cost,
        firstSeen: tally.firstAt,
        lastSeen: tally.lastAt,
        sentence: `${counted(tally.times, 'result')} that compactions took away ${tally.times === 1 ? 'was' : 'were'} fetched again: ${tokensInWords(cost.tokens)}.${priceInWords(cost.usd)}${besides.length === 0 ? '' : ` Not counted: ${besides.join(' and ')}.`}`,
        remedies: [
          ...moveLine(runtime, 'up', 'Compact later, where a setting has moved the line down.'),
          byAdvice('Let the summary name the files and searches that are still needed.'),
          byAction('recover', 'What left is still in the transcript: bring back what is needed.'),
        ],
      },
    ]
  },
}

export const wantedAgain = detector(WANTED_AGAIN)

function ask(state: State, mark: FetchMark): void {
  if (mark.does === 'write') {
    const isOther = ({ name }: Fetched) => name !== mark.name
    state.held = state.held.filter(isOther)
    state.left = state.left.filter(isOther)
    return
  }
  const isAgain = state.left.some((one) => isSame(one, mark))
  const isQuoted = isAgain && mark.name !== 0 && state.quoted.includes(mark.name)
  state.opened.push({ mark, isAgain: !isAgain ? 'no' : isQuoted ? 'quoted' : 'yes' })
  if (state.opened.length > MOST_OPEN) state.opened.shift()
}

function isSame(one: Pick<Fetched, 'key' | 'path'>, { key, path }: Pick<FetchMark, 'key' | 'path'>): boolean {
  return one.key === key || (path !== 0 && one.path === path)
}

function answer(state: State, resultFor: string, { units, line, at, seq, isError }: EntryFact): void {
  const asked = openedAs(state, resultFor)
  const opened = state.opened[asked]
  if (opened === undefined) return
  state.opened.splice(asked, 1)
  const tokens = units?.['tool-result'] ?? 0
  if (isError || tokens < LEAST_RESULT) return
  const { mark, isAgain } = opened
  const { key, name, path } = mark
  takeOut(state.left, mark)
  takeOut(state.held, mark)
  state.held.push({ key, name, path, seq })
  if (state.held.length > MOST_HELD) state.held.shift()
  if (isAgain === 'no') return
  if (mark.isHosts) state.hosts += 1
  else if (isAgain === 'quoted') state.named += 1
  else state.coming.push({ tokens, line, at })
}

function openedAs({ opened }: State, callId: string): number {
  for (let i = 0; i < opened.length; i++) if (opened[i]?.mark.callId === callId) return i
  return -1
}

function leave(state: State, { kind, kept }: FoldBoundary, summary: SummaryMark | undefined): void {
  state.opened = []
  if (kind !== 'compaction') {
    // A reset is meant, and what a provider keeps cannot be read.
    state.held = []
    state.left = []
    state.quoted = []
    return
  }
  const stays = ({ seq }: Fetched) => kept !== null && seq >= kept.from && seq <= kept.to
  state.left = [...state.left, ...state.held.filter((one) => !stays(one))].slice(-MOST_HELD)
  state.held = state.held.filter(stays)
  state.quoted = []
  if (summary !== undefined) quote(state, summary.words)
}

/** Which names of what left the summary has. */
function quote(state: State, words: readonly number[]): void {
  // There are few names, and a summary may have thousands of words.
  const names = new Set(state.left.map(({ name }) => name))
  if (names.size === 0) return
  const said = new Set(words.filter((word) => word !== 0 && names.has(word)))
  const quoted = [...names].filter((name) => said.has(name))
  state.quoted = [...new Set([...state.quoted, ...quoted])]
}

/** Takes out what the same call fetched before. */
function takeOut(list: Fetched[], mark: FetchMark): void {
  for (let i = list.length - 1; i >= 0; i--) {
    const one = list[i]
    if (one !== undefined && isSame(one, mark)) list.splice(i, 1)
  }
}

/** The next call sends what came. */
function pay(state: State, call: SettledCall): void {
  if (state.coming.length === 0) return
  const sent = state.coming.filter(({ line }) => line < call.answer.line)
  state.coming = state.coming.filter((one) => !sent.includes(one))
  if (sent.length === 0) return
  for (const { line, at } of sent) noteTime(state.tally, { call: call.frame.call, line, at })
  addPaid(
    state.tally,
    call,
    sent.reduce((sum, { tokens }) => sum + tokens, 0),
    25,
  )
}
