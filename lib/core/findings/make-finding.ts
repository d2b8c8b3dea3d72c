import { shortDigest } from '../history/short-digest'
import type { ExaminedSession, FoundSign } from './detector'
import type { SessionFinding } from './finding'

/** What a detector found in a session, with what is the same for all kinds. */
export function makeFinding(kind: string, sign: FoundSign, session: ExaminedSession): SessionFinding {
  const { subject, cause, provider, model, ...rest } = sign
  return {
    id: `${kind}.${shortDigest(`${session.transcriptId} ${kind} ${subject}`)}`,
    kind,
    cause: `${kind} ${cause}`.trim(),
    ...rest,
    concerns: {
      storeId: session.storeId,
      transcriptId: session.transcriptId,
      sessionId: session.sessionId,
      agent: session.agent,
      provider: provider === undefined ? session.totals.provider : provider,
      model: model === undefined ? session.totals.model : model,
    },
  }
}
