import { measured, UNKNOWN } from '../../tokens/figure'
import { counted, groupedDigits } from '../../words/amounts'
import { type Detector, detector } from '../detector'
import { byAdvice } from '../remedies/offered'
import { evidenceOf, newTally, noteTime, type SignTally } from '../tally'

/** Tools that start a sub-agent: OpenClaw, Claude Code, Codex, pi. */
const SPAWNS: ReadonlySet<string> = new Set([
  'sessions_spawn',
  'Task',
  'Agent',
  'spawn_agent',
  'subagent',
  'task',
])
/** So many in one turn, each with its own system prompt and tools. */
const LEAST_IN_TURN = 6

type State = { turn: number; widest: number; tally: SignTally; all: number }

const FANOUT: Detector<State> = {
  kind: 'subagent-fanout',
  title: 'One turn starts many sub-agents',
  about:
    'Each sub-agent begins with its own system prompt, tools and instructions, and reads the same files anew. Many of them at once cost many times what one would.',
  signs: 'Six sub-agents or more are started within one turn of the user.',
  start: () => ({ turn: 0, widest: 0, tally: newTally(), all: 0 }),
  sees: ['user', 'calls'],
  entry: (state, { role, type, calls, line, at }) => {
    if (type === 'message' && role === 'user') state.turn = 0
    if (calls === undefined) return
    let started = 0
    for (const { name } of calls) if (SPAWNS.has(name)) started += 1
    if (started === 0) return
    const before = state.turn
    state.turn += started
    state.all += started
    state.widest = Math.max(state.widest, state.turn)
    if (state.turn >= LEAST_IN_TURN && before < LEAST_IN_TURN) noteTime(state.tally, { line, at })
  },
  find: ({ tally, widest, all }, { totals, agent, storeId }) => {
    if (tally.times === 0) return []
    const { calls, input, output, cacheRead, cacheWrite } = totals.besides
    const besides = input + output + cacheRead + cacheWrite
    const cost =
      besides > 0 ? ` Requests beside the session's own calls used ${groupedDigits(besides)} tokens.` : ''
    return [
      {
        subject: '',
        cause: `${storeId} ${agent ?? ''}`,
        severity: widest >= 2 * LEAST_IN_TURN ? 'medium' : 'low',
        confidence: 'certain',
        evidence: evidenceOf(tally),
        // Where sub-agents have their own transcripts, their costs are there.
        cost: {
          tokens: besides > 0 ? measured(besides) : UNKNOWN,
          usd: UNKNOWN,
          calls: besides > 0 ? measured(calls) : UNKNOWN,
          unpriced: 0,
        },
        firstSeen: tally.firstAt,
        lastSeen: tally.lastAt,
        sentence: `${counted(tally.times, 'turn')} started six sub-agents or more; the widest started ${groupedDigits(widest)}, and the session ${groupedDigits(all)} in all.${cost}`,
        remedies: [
          byAdvice('Give a sub-agent several of the tasks, and let it have only the tools that they need.'),
        ],
      },
    ]
  },
}

export const subagentFanout = detector(FANOUT)
