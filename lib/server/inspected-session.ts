import 'server-only'
import type { IndexEntry } from '../core/transcript/session-index'
import type { SessionDetail } from '../db/queries/session-detail'
import { type InspectedSession, inspectSession } from '../engine/inspect-session'
import type { FoundTranscript, TranscriptState } from '../engine/ports'
import { sourceOf } from './entry-source'
import { oncePerProcess } from './process-memory'
import { RecentlyUsed } from './recently-used'

type Kept = { readonly revision: number; readonly session: Promise<InspectedSession> }

/** 50,000 entries with their frames are about 60 MB. */
const kept = oncePerProcess('inspected', () => new RecentlyUsed<number, Kept>(2))

/**
 * A transcript read from its beginning to its end, and kept until the session changes.
 * @throws SourceProblem when its source cannot be read
 */
export function getInspected(session: SessionDetail): Promise<InspectedSession> {
  const known = kept.get(session.row)
  if (known?.revision === session.revision) return known.session
  const { reader, store, transcript } = placeOf(session)
  const fresh = {
    revision: session.revision,
    session: inspectSession(reader, store, transcript, { sizes: true }),
  }
  kept.set(session.row, fresh)
  fresh.session.catch(() => {
    if (kept.get(session.row) === fresh) kept.delete(session.row)
  })
  return fresh.session
}

/** Where a session's transcript stands, and what its store says about it, as the database has it. */
export function placeOf(session: SessionDetail) {
  const { transcript, ...place } = sourceOf(session)
  const { state, indexJson, model, window, windowSource } = session
  const isListed = windowSource === 'catalogue' && model !== null && window !== null
  const found: FoundTranscript = {
    ...transcript,
    state: state as TranscriptState,
    // Written by us from an index that was checked when it was read.
    index: indexJson === null ? null : (JSON.parse(indexJson) as IndexEntry),
    ...(isListed ? { windows: { [model]: window } } : {}),
  }
  return { ...place, transcript: found }
}
