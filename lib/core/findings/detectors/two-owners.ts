import { isAnswer } from '../../transcript/context'
import { harnessName, mirrorRefusal, ownerOf } from '../../transcript/mirror'
import { type Detector, detector } from '../detector'
import { byAdvice } from '../remedies/offered'
import { NO_COST } from '../tally'

type State = {
  provider: string | null
  api: string | null
  line: number
  at: number | null
  answered: boolean
}

const TWO_OWNERS: Detector<State> = {
  kind: 'two-owners',
  title: 'Another program keeps the real history',
  about:
    'OpenClaw let Codex or Claude CLI run this session. What the model saw is in their store; the transcript here is a mirror, and compacting it changes nothing.',
  signs: 'The index of OpenClaw or the newest answer names another harness.',
  start: () => ({ provider: null, api: null, line: 0, at: null, answered: false }),
  sees: ['assistant'],
  entry: (state, entry) => {
    // What OpenClaw writes in place of an answer that failed has the API of a harness, and no usage.
    if (!isAnswer(entry) || entry.usage == null) return
    state.provider = entry.provider ?? null
    state.api = entry.api ?? null
    state.line = entry.line
    state.at = entry.at
    state.answered = true
  },
  find: ({ provider, api, line, at, answered }, { index, runtime, storeId }) => {
    if (runtime !== 'openclaw' || !answered) return []
    const owner = ownerOf(index, { provider, api })
    if (owner === null) return []
    return [
      {
        subject: '',
        cause: `${storeId} ${owner.harness}`,
        severity: 'low',
        confidence: 'certain',
        evidence: { times: 1, calls: [], lines: [line], before: null, after: null },
        cost: NO_COST,
        firstSeen: at,
        lastSeen: at,
        sentence: `${harnessName(owner)} runs this session and keeps its real history; figures here are of the mirror.`,
        remedies: [byAdvice(mirrorRefusal(owner))],
      },
    ]
  },
}

export const twoOwners = detector(TWO_OWNERS)
