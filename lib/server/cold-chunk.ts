import 'server-only'
import { decodeUtf8 } from '../adapters/decode-utf8'
import { nodeWriteFiles } from '../adapters/write/node-write-files'
import type { ColdRecord } from '../core/cold/record'
import { maskSecrets } from '../core/redaction/secrets'
import { estimateUnits } from '../core/tokens/estimate'
import type { SessionDetail } from '../db/queries/session-detail'
import { findTranscriptsOf } from '../db/queries/transcripts-of'
import { previewRecovery } from '../engine/preview-recovery'
import {
  type ColdDetail,
  type ColdName,
  type ColdPlacing,
  type ColdTarget,
  coldRow,
  neighbourOf,
  shown,
} from '../view/cold-storage'
import { sessionTitle } from '../view/session-title'
import { findChunk } from './cold-library'
import { getDatabase } from './database'
import { placeOf } from './inspected-session'
import { getSession } from './session-record'

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
    prompt: chunk.prompt === null ? null : shown(chunk.prompt),
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
    return { ...base, placing: null, problem: error instanceof Error ? error.message : String(error) }
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
  const { store, transcript } = placeOf(session)
  if (store.era === 'sqlite')
    return {
      ...{
        target: session.id,
        file: session.path,
        kind: 'end',
        why: null,
        before: [],
        after: [],
        isThere: false,
      },
      tokens: estimateUnits(chunk.content),
      refusal: `${session.path} is OpenClaw's own database, which nobody else writes. Save the chunk as a file instead.`,
    }
  const preview = await previewRecovery(
    { files: nodeWriteFiles, decode: decodeUtf8, now: Date.now, sizeOf: estimateUnits },
    { chunk, store, transcript, wanted },
  )
  const { file, place, before, after, tokens, isThere, refusal } = preview
  return {
    ...{ target: session.id, file, kind: place.kind, tokens: Math.round(tokens), isThere },
    why: place.kind === 'end' ? place.why : null,
    before: before.map(neighbourOf),
    after: after.map(neighbourOf),
    refusal: refusal?.message ?? null,
  }
}
