import { reasonOf } from '../../core/words/reason-of'
import 'server-only'
import { PREVIEW_PORTS } from '../../compose/cold/cold'
import type { ColdRecord } from '../../core/cold/record'
import { maskSecrets } from '../../core/redaction/secrets'
import type { SessionDetail } from '../../db/queries/session-detail'
import { findTranscriptsOf } from '../../db/queries/transcripts-of'
import { previewRecovery } from '../../engine/cold/preview-recovery'
import {
  type ColdDetail,
  type ColdName,
  type ColdPlacing,
  type ColdTarget,
  coldRow,
  neighbourOf,
} from '../../view/cold/cold-storage'
import { sessionTitle } from '../../view/session/session-title'
import { shownText } from '../../view/text/shown-text'
import { getDatabase } from '../process/database'
import { transcriptPlace } from '../session/inspected-session'
import { getSession } from '../session/session-record'
import { findChunk } from './cold-library'

/** Characters of a chunk that are shown; all of it can be saved. */
const SHOWN_CHARS = 20_000
/** Transcripts that a chunk can go into. */
const MOST_TARGETS = 20

/** A chunk, and where it would go back; null when it is gone. @param target of the transcripts of its session */
export async function getColdChunk(
  name: ColdName,
  target: string | null,
  wanted: 'neighbourhood' | 'end',
): Promise<ColdDetail | null> {
  const found = await findChunk(name)
  if (found === null) return null
  const { chunk } = found
  const sessions = await transcriptsOf(chunk)
  const chosen = sessions.find(({ id }) => id === target) ?? sessions[0] ?? null
  const text = maskSecrets(chunk.content)
  const base = {
    row: coldRow(chunk, '', Date.now(), chosen),
    file: chunk.file,
    prompt: chunk.prompt === null ? null : shownText(chunk.prompt),
    text: text.slice(0, SHOWN_CHARS),
    more: Math.max(0, text.length - SHOWN_CHARS),
    targets: sessions.map(
      (session): ColdTarget => ({
        id: session.id,
        title: sessionTitle(session),
        path: session.path,
        state: session.state,
      }),
    ),
  }
  if (chosen === null) return { ...base, placing: null, problem: null }
  try {
    return { ...base, placing: await placingOf(chunk, chosen, wanted), problem: null }
  } catch (error) {
    return { ...base, placing: null, problem: reasonOf(error) }
  }
}

/** The transcripts of a chunk's session, those that are written to first. */
export async function transcriptsOf({ sessionId }: Pick<ColdRecord, 'sessionId'>): Promise<SessionDetail[]> {
  const ids = await findTranscriptsOf(await getDatabase(), sessionId, MOST_TARGETS)
  const sessions = await Promise.all(ids.map(getSession))
  return sessions.filter((session) => session !== null)
}

async function placingOf(
  chunk: ColdRecord,
  session: SessionDetail,
  wanted: 'neighbourhood' | 'end',
): Promise<ColdPlacing> {
  const { store, transcript } = transcriptPlace(session)
  const preview = await previewRecovery(PREVIEW_PORTS, { chunk, store, transcript, wanted })
  const { file, place, before, after, tokens, isThere, refusal } = preview
  return {
    ...{ target: session.id, file, kind: place.kind, tokens: Math.round(tokens), isThere },
    why: place.kind === 'end' ? place.why : null,
    before: before.map(neighbourOf),
    after: after.map(neighbourOf),
    refusal: refusal?.message ?? null,
  }
}
