import { counted, groupedDigits, priceInWords, tokensInWords } from '../../words/amounts'
import { type Detector, detector } from '../detector'
import { byAdvice, pollLess } from '../remedies/offered'
import { addPaid, costOfTally, evidenceOf, newTally, noteTime, type SignTally } from '../tally'

/** How polls of a runtime and its scheduled jobs begin. */
const POLL = /heartbeat poll|HEARTBEAT\.md|^(\[[^\]]{0,40}\] )?\[cron:/i
/** So many polls, with so many tokens in each of their calls. */
const [LEAST_POLLS, LEAST_PROMPT] = [5, 15_000]

type State = { polling: boolean; polls: number; turns: number; tally: SignTally }

const HEARTBEAT: Detector<State> = {
  kind: 'heartbeat-drag',
  title: 'Heartbeats and jobs drag a long history',
  about:
    'A poll or a scheduled job that mostly answers "nothing to do" runs in the session of the conversation, and sends all of it each time.',
  signs: 'Five polls or jobs or more, whose calls send 15,000 tokens or more each on average.',
  start: () => ({ polling: false, polls: 0, turns: 0, tally: newTally() }),
  sees: ['user'],
  entry: (state, { role, type, preview }) => {
    if (role !== 'user' || type !== 'message') return
    state.turns += 1
    state.polling = preview !== undefined && POLL.test(preview)
    if (state.polling) state.polls += 1
  },
  callChanges: ['tally'],
  call: (state, call) => {
    const { total, call: number, at } = call.frame
    if (!state.polling || total.value === null) return
    addPaid(state.tally, call, total.value, total.basis === 'estimated' ? total.errorPct : 0)
    noteTime(state.tally, { call: number, at })
  },
  find: ({ polls, turns, tally }, { runtime, agent, storeId }) => {
    const each = tally.tokens / Math.max(1, tally.paid)
    if (polls < LEAST_POLLS || each < LEAST_PROMPT) return []
    const cost = costOfTally(tally)
    return [
      {
        subject: '',
        cause: `${storeId} ${agent ?? ''}`,
        severity: polls >= turns / 2 && polls >= 20 ? 'medium' : 'low',
        confidence: 'likely',
        evidence: evidenceOf(tally, { before: Math.round(each) }),
        cost,
        firstSeen: tally.firstAt,
        lastSeen: tally.lastAt,
        sentence: `${counted(polls, 'poll')} of ${counted(turns, 'turn')} sent ${tokensInWords(cost.tokens)}, about ${groupedDigits(each)} with each call.${priceInWords(cost.usd)}`,
        remedies: [
          ...pollLess(runtime),
          byAdvice('Let jobs run in a separate session, so that they do not send the conversation.'),
        ],
      },
    ]
  },
}

export const heartbeatDrag = detector(HEARTBEAT)
