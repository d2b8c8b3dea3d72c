import type { EntryCategory } from '../../tokens/category'
import type { EntryFact } from '../../transcript/entry'
import type { Tokens } from '../../units/units'
import { groupedDigits, percentInWords, priceInWords, tokensInWords } from '../../words/amounts'
import { type Detector, detector, type ExaminedSession, type FoundSign } from '../detector'
import { byAction, pruneResults } from '../remedies/offered'
import type { SettledCall } from '../settled-call'
import { addPaid, costOfTally, evidenceOf, newTally, noteTime, type SignTally } from '../tally'

/** Nine of ten uses of what a conversation holds come within 28 calls (lib/docs/relevance.md#needs). */
const OLD_CALLS = 30
/** This share of all that was sent since, and so many tokens in all. */
const [LEAST_SHARE, LEAST_TOKENS] = [0.35, 500_000]

const WATCHED = ['tool-result', 'tool-call', 'image', 'thinking'] as const satisfies readonly EntryCategory[]

type Watched = (typeof WATCHED)[number]

const NAMES: { readonly [W in Watched]: string } = {
  'tool-result': 'Tool results',
  'tool-call': 'Arguments of tool calls',
  image: 'Images',
  thinking: 'Thinking',
}

/** What came since the last call, with each of the last calls (those with something, oldest first), and before. */
type Kept = { coming: number; recent: { call: number; units: number }[]; old: number; tally: SignTally }

/** `calls`: how many there were. */
type State = { kept: { [W in Watched]: Kept }; calls: number; sent: number }

const KEPT_TOO_LONG: Detector<State> = {
  kind: 'kept-too-long',
  title: 'Old results are sent again and again',
  about:
    'What a tool answered is seldom needed again after some calls, and is sent along with each of them all the same.',
  signs: `Tool results, arguments, images or thinking that are more than ${OLD_CALLS} calls old make up 35 % or more of all that was sent, and 500,000 tokens or more, each call counted.`,
  start: () => ({ kept: fresh(), calls: 0, sent: 0 }),
  sees: ['units'],
  entry: ({ kept }, entry) => gather(kept, entry),
  boundary: ({ kept }) => {
    for (const name of WATCHED) kept[name] = { ...kept[name], coming: 0, recent: [], old: 0 }
  },
  callChanges: ['kept'],
  call: (state, call) => {
    if (call.frame.total.value === null) return
    state.sent += call.frame.total.value
    pay(state, call)
  },
  find: (state, session) => WATCHED.flatMap((name) => signOf(name, state, session)),
}

export const keptTooLong = detector(KEPT_TOO_LONG)

function fresh(): State['kept'] {
  const kept = (): Kept => ({ coming: 0, recent: [], old: 0, tally: newTally() })
  return { 'tool-result': kept(), 'tool-call': kept(), image: kept(), thinking: kept() }
}

function gather(kept: State['kept'], { units }: EntryFact): void {
  if (units === undefined) return
  // Each is named: a loop over the names takes several times as long, and this is done for every entry.
  const { 'tool-result': result, 'tool-call': call, image, thinking } = units
  if (result !== undefined) kept['tool-result'].coming += result
  if (call !== undefined) kept['tool-call'].coming += call
  if (image !== undefined) kept.image.coming += image
  if (thinking !== undefined) kept.thinking.coming += thinking
}

function pay(state: State, call: SettledCall): void {
  state.calls += 1
  const { kept, calls: now } = state
  const { 'tool-result': result, 'tool-call': calls, image, thinking } = call.frame.categories
  payFor(kept['tool-result'], result, call, now)
  payFor(kept['tool-call'], calls, call, now)
  payFor(kept.image, image, call, now)
  payFor(kept.thinking, thinking, call, now)
}

/**
 * @param sent what of them was in the prompt: what the runtime has taken out is not sent
 * @param now number of the call, among those that were counted
 */
function payFor(one: Kept, sent: Tokens | undefined, call: SettledCall, now: number): void {
  turn(one, now)
  const tokens = Math.min(one.old, sent ?? 0)
  if (tokens <= 0) return
  addPaid(one.tally, call, tokens, 20)
  noteTime(one.tally, { call: call.frame.call, at: call.frame.at })
}

/** One call more: what came with the calls that are out of sight now is old. */
function turn(one: Kept, now: number): void {
  const { recent, coming } = one
  if (coming > 0) {
    recent.push({ call: now, units: coming })
    one.coming = 0
  }
  let gone = 0
  while (gone < recent.length) {
    const first = recent[gone]
    if (first === undefined || first.call > now - OLD_CALLS) break
    one.old += first.units
    gone += 1
  }
  if (gone === 1) recent.shift()
  else if (gone > 1) recent.splice(0, gone)
}

function signOf(name: Watched, { kept, sent }: State, { runtime }: ExaminedSession): FoundSign[] {
  const { tally } = kept[name]
  if (tally.tokens < LEAST_TOKENS || tally.tokens < sent * LEAST_SHARE) return []
  const cost = costOfTally(tally)
  const share = tally.tokens / sent
  return [
    {
      subject: name,
      cause: name,
      severity: share >= 0.6 ? 'medium' : 'low',
      confidence: 'likely',
      evidence: evidenceOf(tally),
      cost,
      firstSeen: tally.firstAt,
      lastSeen: tally.lastAt,
      sentence: `${NAMES[name]} more than ${groupedDigits(OLD_CALLS)} calls old made up ${percentInWords(share)} of all that was sent: ${tokensInWords(cost.tokens)}, each call counted.${priceInWords(cost.usd)}`,
      remedies: [
        ...(name === 'tool-result' ? pruneResults(runtime) : []),
        byAction('prune', 'Take them out of the session; the preview says what a request is then.'),
      ],
    },
  ]
}
