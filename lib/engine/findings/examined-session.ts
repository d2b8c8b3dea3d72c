import type { ExaminedSession } from '../../core/findings/detector'
import type { Frame } from '../../core/tokens/frame'
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
  let next: Frame | null = null
  return {
    transcriptId: id,
    storeId: store.id,
    runtime: store.kind,
    ...{ sessionId, key, agent, state, index },
    totals: fold.totals(),
    next: () => {
      next ??= fold.next()
      return next
    },
    now,
    lineOf,
  }
}
