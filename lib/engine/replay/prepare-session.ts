import { ReplayPreparer } from '../../core/replay/prepare-replay'
import type { ReplaySession } from '../../core/replay/replay-session'
import type { ReplaySource } from '../../core/replay/replay-source'
import { type InspectedSession, inspectSession } from '../read/inspect-session'
import type { FoundStore, FoundTranscript, StoreReader } from '../read/ports'
import { preparedEntries, preparedPath } from './session-entries'

/**
 * Reads a session and makes it ready for replay: one text is in memory at a time. What is too large is passed over, and
 * counted.
 * @throws SourceProblem when it cannot be read
 */
export async function prepareSession(
  reader: StoreReader,
  store: FoundStore,
  transcript: FoundTranscript,
): Promise<ReplaySession> {
  const session = await inspectSession(reader, store, transcript, { sizes: true, texts: false })
  const path = preparedPath(session)
  const preparer = new ReplayPreparer({ ...replaySource(session), passedOver: path.passedOver })
  for await (const entry of preparedEntries(reader, session, path.entries)) preparer.take(entry)
  return preparer.finish()
}

/** What is known of a session as a whole, for its preparation. */
export function replaySource(session: InspectedSession): Omit<ReplaySource, 'passedOver'> {
  const { store, transcript, totals, frames } = session
  return {
    transcriptId: transcript.id,
    storeId: store.id,
    sessionId: transcript.sessionId,
    runtime: store.kind,
    agent: transcript.agent,
    owner: replayOwner(session),
    cwd: totals.cwd,
    startedAt: totals.startedAt,
    frames,
  }
}

/** Whose work a session is: sessions of one folder are one owner's, whichever runtime they are of. */
function replayOwner({
  totals: { cwd },
  store,
  transcript,
}: Pick<InspectedSession, 'totals' | 'store' | 'transcript'>): string {
  return cwd ?? `${store.id}/${transcript.agent ?? ''}`
}
