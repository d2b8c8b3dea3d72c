import 'server-only'
import { indexEntryOf, type SessionDetail } from '../../db/queries/session-detail'
import { type InspectedSession, inspectSession } from '../../engine/read/inspect-session'
import type { FoundTranscript } from '../../engine/read/ports'
import { remember } from '../process/remember'
import { sourceOf } from './entry-source'

/** 50,000 entries with their frames are about 60 MB. */
const inspected = remember<number, Promise<InspectedSession>>('inspected', 2)

/**
 * A transcript read from its beginning to its end, and kept until the session changes.
 * @throws SourceProblem when its source cannot be read
 */
export function getInspected(session: SessionDetail): Promise<InspectedSession> {
  return inspected(session.row, session.revision, () => {
    const { reader, store, transcript } = transcriptPlace(session)
    return inspectSession(reader, store, transcript, { sizes: true })
  })
}

/** Where a session's transcript is, and what its store says about it, as the database has it. */
export function transcriptPlace(session: SessionDetail) {
  const { transcript, ...place } = sourceOf(session)
  const { state, model, window, windowSource, believedWindow, believedSource } = session
  // Where a provider proved another window, the runtime still reckons with what its catalogue says.
  const listed =
    windowSource === 'catalogue' ? window : believedSource === 'catalogue' ? believedWindow : null
  const found: FoundTranscript = {
    ...transcript,
    state,
    index: indexEntryOf(session),
    ...(listed !== null && model !== null ? { windows: { [model]: listed } } : {}),
  }
  return { ...place, transcript: found }
}
