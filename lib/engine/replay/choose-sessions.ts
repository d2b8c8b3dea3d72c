import type { ReplayChoice } from '../../core/replay/experiment-spec'
import { sessionsOnce } from '../read/sessions-once'
import type { ReplayCandidate } from './replay-ports'

/**
 * The sessions that a choice takes, each once, in an order that depends on nothing but which they are: sums over them are
 * the same whatever the order in which they were found, and wherever their store is. What has no call, or cannot be read,
 * is left out.
 */
export function chooseSessions(
  candidates: readonly ReplayCandidate[],
  { stores, agents, ids, since }: ReplayChoice,
): ReplayCandidate[] {
  const takes = (list: readonly string[], value: string | null) =>
    list.length === 0 || (value !== null && list.includes(value))
  return sessionsOnce(candidates, null)
    .filter(
      ({ store, transcript, calls, updatedAt }) =>
        calls !== 0 &&
        transcript.problem === undefined &&
        takes(stores, store.id) &&
        takes(agents, transcript.agent) &&
        takes(ids, transcript.id) &&
        (since === null || (updatedAt ?? 0) >= since),
    )
    .toSorted(compare)
}

function compare(a: ReplayCandidate, b: ReplayCandidate): number {
  return nameOf(a) < nameOf(b) ? -1 : 1
}

/** Several transcripts of one session differ by their files, wherever those are. */
function nameOf({ transcript: { sessionId, state, path, id } }: ReplayCandidate): string {
  return [sessionId, state, path.slice(path.lastIndexOf('/') + 1), id].join('\0')
}
