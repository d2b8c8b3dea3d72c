import type { EntryCategory } from '../../tokens/category'
import type { EntryFact } from '../../transcript/entry'
import { groupedDigits, percentInWords, priceInWords, tokensInWords } from '../../words/amounts'
import { type Detector, detector, type ExaminedSession, type FoundSign, type SettledCall } from '../detector'
import { byAction, pruneResults } from '../remedies/offered'
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

type Kept = { coming: number; ring: number[]; old: number; tally: SignTally }

type State = { kept: { [W in Watched]: Kept }; sent: number }

const KEPT_TOO_LONG: Detector<State> = {
  kind: 'kept-too-long',
  title: 'Old results are sent again and again',
  about:
    'What a tool answered is seldom needed again after some calls, and is sent along with each of them all the same.',
  signs: `Tool results, arguments, images or thinking that are more than ${OLD_CALLS} calls old make up 35 % or more of all that was sent, and 500,000 tokens or more, each call counted.`,
  start: () => ({ kept: fresh(), sent: 0 }),
  entry: ({ kept }, entry) => gather(kept, entry),
  boundary: ({ kept }) => {
    for (const name of WATCHED) Object.assign(kept[name], { coming: 0, ring: [], old: 0 })
  },
  call: (state, call) => pay(state, call),
  find: (state, session) => WATCHED.flatMap((name) => signOf(name, state, session)),
}

export const keptTooLong = detector(KEPT_TOO_LONG)

function fresh(): State['kept'] {
  const kept = (): Kept => ({ coming: 0, ring: [], old: 0, tally: newTally() })
  return { 'tool-result': kept(), 'tool-call': kept(), image: kept(), thinking: kept() }
}

function gather(kept: State['kept'], { units }: EntryFact): void {
  if (units === undefined) return
  for (const name of WATCHED) {
    const came = units[name]
    if (came !== undefined) kept[name].coming += came
  }
}

function pay(state: State, call: SettledCall): void {
  const { categories, total, call: number, at } = call.frame
  if (total.value === null) return
  state.sent += total.value
  for (const name of WATCHED) {
    const one = state.kept[name]
    one.ring.push(one.coming)
    one.coming = 0
    if (one.ring.length > OLD_CALLS) one.old += one.ring.shift() ?? 0
    // What the runtime has taken out is not sent.
    const tokens = Math.min(one.old, categories[name] ?? 0)
    if (tokens <= 0) continue
    addPaid(one.tally, call, tokens, 20)
    noteTime(one.tally, { call: number, at })
  }
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
