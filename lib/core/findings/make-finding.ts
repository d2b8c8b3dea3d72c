import { shortDigest } from '../history/short-digest'
import type { ExaminedSession, FoundSign } from './detector'
import type { SessionFinding } from './finding'

/** From so many dollars on, which are at least this share of all that the session cost, a finding is no small one. */
const [DEAR_USD, DEAR_SHARE] = [1, 0.2]

/** What a detector found in a session, with what is the same for all kinds. */
export function makeFinding(kind: string, sign: FoundSign, session: ExaminedSession): SessionFinding {
  const { subject, cause, provider, model, severity, ...rest } = sign
  return {
    id: `${kind}.${shortDigest(`${session.transcriptId} ${kind} ${subject}`)}`,
    kind,
    cause: `${kind} ${cause}`.trim(),
    severity: severity === 'low' && isDear(sign, session) ? 'medium' : severity,
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

/** Whether it makes up much of the bill of its session. */
function isDear({ cost }: FoundSign, { totals }: ExaminedSession): boolean {
  const paid = cost.usd.value ?? 0
  const bill = totals.costUsd ?? totals.listUsd
  return paid >= DEAR_USD && bill !== null && paid >= bill * DEAR_SHARE
}
