import type { ExaminedSession } from '../../core/findings/detector'
import type { SessionFold } from '../../core/transcript/fold/fold'
import type { Milliseconds } from '../../core/units/units'
import type { FoundStore, FoundTranscript } from '../read/ports'

/** What the findings of a session are judged by, from its store and what was folded of it. */
export function examinedSession(
  store: Pick<FoundStore, 'id' | 'kind'>,
  transcript: Pick<FoundTranscript, 'id' | 'sessionId' | 'key' | 'agent' | 'state' | 'index'>,
  fold: Pick<SessionFold, 'totals' | 'next'>,
  lineOf: ExaminedSession['lineOf'],
  now: Milliseconds | null,
): ExaminedSession {
  const { id, sessionId, key, agent, state, index } = transcript
  return {
    transcriptId: id,
    storeId: store.id,
    runtime: store.kind,
    ...{ sessionId, key, agent, state, index },
    totals: fold.totals(),
    next: fold.next(),
    now,
    lineOf,
  }
}
