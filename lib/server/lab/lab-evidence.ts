import 'server-only'
import { maskedSlice } from '../../core/redaction/secrets'
import { reasonOf } from '../../core/words/reason-of'
import type { SessionDetail } from '../../db/queries/session-detail'
import { entriesBySeq } from '../../db/queries/session-entries'
import { replayText } from '../../engine/replay/replay-text'
import { excerptPlace } from '../../view/lab/excerpt'
import type { Excerpt, RegretEvidence } from '../../view/lab/lab-page'
import { getDatabase } from '../process/database'
import { readEntryText } from '../session/entry-source'
import { getSession } from '../session/session-record'

/** Where the evidence of an unmet need is. */
export type EvidencePlace = {
  readonly transcript: string
  /** What the call wrote. */
  readonly text: string
  /** The entry that went, and which part of its text. */
  readonly entry: number
  readonly from: number
  readonly to: number
  /** The entry of the call. */
  readonly call: number
}

/** The texts of a drop and of the need that it left unmet, from the transcript; null when there is no such session. */
export async function getEvidence(place: EvidencePlace): Promise<RegretEvidence | null> {
  const session = await getSession(place.transcript)
  if (session === null) return null
  const { text, entry, from, to, call } = place
  return {
    drop: await excerptOf(session, entry, text, { from, to }),
    need: await excerptOf(session, call, text, null),
  }
}

async function excerptOf(
  session: SessionDetail,
  seq: number,
  needle: string,
  within: { readonly from: number; readonly to: number } | null,
): Promise<Excerpt> {
  const none = { before: '', mark: '', after: '' }
  const line = entriesBySeq(await getDatabase(), session.row, [seq]).get(seq)
  if (line === undefined) return { ...none, problem: 'The transcript has no such entry any more.' }
  try {
    const text = replayText(await readEntryText(session, line))
    if (text === null) return { ...none, problem: 'Nothing of this entry reaches a model.' }
    const { start, mark, end } = excerptPlace(text, needle, within)
    return {
      before: maskedSlice(text, start, mark?.from ?? end),
      mark: mark === null ? '' : maskedSlice(text, mark.from, mark.to),
      after: mark === null ? '' : maskedSlice(text, mark.to, end),
      problem: null,
    }
  } catch (error) {
    return { ...none, problem: reasonOf(error) }
  }
}
