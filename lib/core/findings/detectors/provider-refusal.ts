import { measured, UNKNOWN } from '../../tokens/figure'
import { hasFailed } from '../../tokens/frame'
import { counted } from '../../words/amounts'
import { type Detector, detector } from '../detector'
import { byAction } from '../remedies/offered'
import { evidenceOf, newTally, noteTime, type SignTally } from '../tally'

/** What providers say to a history that is broken. Each row: words that no other failure has, and what is wrong. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/tool_use.{0,80}(ids? were found )?without.{0,20}tool_result/is, 'a tool call has no result'],
  [
    /unexpected.{0,20}tool_use_id|tool_result.{0,120}corresponding.{0,20}tool_use/is,
    'a result has no tool call',
  ],
  [/no tool (call|output) found for function call/i, 'a tool call and its result are not a pair'],
  [/tool_calls.{0,60}must be followed by tool messages/is, 'a tool call has no result'],
  [/role ['"`]?tool['"`]?.{0,60}must be a response to a preced/is, 'a result has no tool call'],
  [/function (call|response) (parts|turn)/i, 'a tool call and its result are not a pair'],
  [/invalid_replay_transcript|dangling_tool_call|orphan_tool_result/i, 'calls and results are not pairs'],
  [/roles must alternate|conversation roles must/i, 'two messages of one side follow each other'],
  [
    /(text content blocks|content|message).{0,30}must (be non-empty|have non-empty|not be empty|contain non-whitespace)/is,
    'a message is empty',
  ],
  [/thinking.{0,40}(blocks?)?.{0,40}(cannot be modified|signature)/is, 'a signed thought was changed'],
  [
    /duplicate.{0,20}tool_(use|call).{0,10}ids?|tool_use.{0,20}ids must be unique/is,
    'a call id is there twice',
  ],
  [/could not process image|image.{0,20}(does not match|invalid|corrupt)/is, 'an image cannot be decoded'],
]

/** Error texts are short; what is longer is examined from its beginning. */
const MOST_CHARS = 2_000

type State = { tally: SignTally; why: string; open: boolean; model: string | null; provider: string | null }

const REFUSAL: Detector<State> = {
  kind: 'provider-refusal',
  title: 'The provider refuses the history',
  about:
    'The transcript holds something that the provider does not take: a call without its result, a result without its call, an empty message. Every further call is refused until it is repaired.',
  signs: 'A call ended in an error whose words say so.',
  start: () => ({ tally: newTally(), why: '', open: false, model: null, provider: null }),
  callChanges: ['tally'],
  wakes: ['failed'],
  rests: ({ open }) => !open,
  call: (state, { frame, answer }) => {
    if (!hasFailed(frame)) {
      state.open = false
      return
    }
    const text = answer.errorMessage?.slice(0, MOST_CHARS)
    const why = text === undefined ? undefined : REFUSALS.find(([words]) => words.test(text))?.[1]
    if (why === undefined) return
    Object.assign(state, { why, open: true, model: frame.model, provider: frame.provider })
    noteTime(state.tally, { call: frame.call, line: answer.line, at: frame.at })
  },
  find: ({ tally, why, open, model, provider }, { state }) => {
    if (tally.times === 0) return []
    const goesOn = open && state === 'live'
    return [
      {
        subject: '',
        cause: why,
        severity: goesOn ? 'high' : tally.times > 2 ? 'medium' : 'low',
        confidence: 'certain',
        evidence: evidenceOf(tally),
        cost: { tokens: UNKNOWN, usd: UNKNOWN, calls: measured(tally.times), unpriced: tally.times },
        firstSeen: tally.firstAt,
        lastSeen: tally.lastAt,
        provider,
        model,
        sentence: `The provider refused ${counted(tally.times, 'call')}: ${why}.${goesOn ? ' The last call failed with it: the session cannot go on.' : ' Later calls were taken again.'}`,
        remedies: [byAction('repair', 'Repair the transcript; the check shows each change first.')],
      },
    ]
  },
}

export const providerRefusal = detector(REFUSAL)
