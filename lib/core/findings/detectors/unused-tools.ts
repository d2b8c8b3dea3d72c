import { estimated, type Figure } from '../../tokens/figure'
import { counted, groupedDigits, priceInWords } from '../../words/amounts'
import { type Detector, detector } from '../detector'
import { byAdvice } from '../remedies/offered'
import { shownName } from '../shown-name'
import { addPaid, costOfTally, evidenceOf, newTally, noteTime, type SignTally } from '../tally'

/** After so many calls a tool that was never called is not needed, or seldom. */
const LEAST_CALLS = 30
/** Characters of a token of JSON schemas (`core/tokens/fixed.ts`), and by how much that is off, in percent. */
const [CHARS_PER_TOKEN, OFF_PCT] = [4.3, 20]
/** Schemas of unused tools below this are not worth a change. Tokens in each call. */
const LEAST_UNUSED = 4_000
const MOST_NAMES = 300
const NAMES_SHOWN = 5

/** Only the calls are paid for: what a tool takes is worked out at the end, from the report. */
type State = { used: string[]; tally: SignTally; sent: number }

const UNUSED: Detector<State> = {
  kind: 'unused-tools',
  title: 'Tools that are never called are sent with each call',
  about: 'The schema of every tool is part of every prompt, whether the agent calls it or not.',
  signs:
    'After 30 calls or more, tools that the runtime reports and that were never called take 4,000 tokens or more of each prompt.',
  start: () => ({ used: [], tally: newTally(), sent: 0 }),
  sees: ['calls'],
  entry: ({ used }, { calls }) => {
    if (calls === undefined) return
    for (const { name } of calls) if (used.length < MOST_NAMES && !used.includes(name)) used.push(name)
  },
  callChanges: ['tally'],
  call: (state, call) => {
    const { total, call: number, at } = call.frame
    if (total.value === null) return
    state.sent += total.value
    // The whole prompt: the share of the tools is taken of it at the end.
    addPaid(state.tally, call, total.value, 0)
    noteTime(state.tally, { call: number, at })
  },
  find: ({ used, tally, sent }, { index, storeId, agent }) => {
    const tools = index?.report?.tools ?? []
    if (tally.paid < LEAST_CALLS || used.length === 0 || used.length >= MOST_NAMES) return []
    const unused = tools
      .filter(({ name }) => !used.includes(name))
      .map(({ name, schemaChars, summaryChars }) => ({
        name,
        chars: schemaChars + summaryChars + name.length,
      }))
      .sort((a, b) => b.chars - a.chars)
    const each = unused.reduce((sum, { chars }) => sum + chars, 0) / CHARS_PER_TOKEN
    if (each < LEAST_UNUSED) return []
    const share = Math.min(1, (each * tally.paid) / Math.max(1, sent))
    const { usd } = costOfTally(tally)
    const cost = {
      tokens: estimated(Math.round(each * tally.paid), OFF_PCT),
      usd: scaled(usd, share),
      calls: costOfTally(tally).calls,
      unpriced: tally.unpriced,
    }
    const names = unused.slice(0, NAMES_SHOWN).map(({ name }) => shownName(name))
    const more =
      unused.length > names.length ? ` and ${groupedDigits(unused.length - names.length)} more` : ''
    return [
      {
        subject: '',
        cause: `${storeId} ${agent ?? ''}`,
        severity: 'low',
        confidence: 'likely',
        evidence: evidenceOf(tally, { before: Math.round(each), after: 0 }),
        cost,
        firstSeen: tally.firstAt,
        lastSeen: tally.lastAt,
        sentence: `${counted(unused.length, 'tool')} never called in ${counted(tally.paid, 'call')} (${names.join(', ')}${more}) take about ${groupedDigits(each)} tokens of each.${priceInWords(cost.usd)}`,
        remedies: [byAdvice('Take them out of the tools of this agent.')],
      },
    ]
  },
}

export const unusedTools = detector(UNUSED)

function scaled(figure: Figure, share: number): Figure {
  if (figure.value === null) return figure
  const errorPct = figure.basis === 'estimated' ? figure.errorPct : 0
  return estimated(figure.value * share, Math.min(100, errorPct + OFF_PCT))
}
