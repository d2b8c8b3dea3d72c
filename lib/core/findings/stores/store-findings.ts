import { shortDigest } from '../../history/short-digest'
import { compareFindings, type SessionFinding } from '../finding'
import { deletedSoon } from './deleted-soon'
import { onlyGrows } from './only-grows'
import { staleLock } from './stale-lock'
import type { StoreDetector, StoreFacts } from './store-facts'

/** Everything that is looked for in a store beside its transcripts. */
export const STORE_DETECTORS: readonly StoreDetector[] = [staleLock, deletedSoon, onlyGrows]

/** What was found in a store as it is now, the worst first; in the form that findings of sessions have. */
export function storeFindings(facts: StoreFacts): SessionFinding[] {
  return STORE_DETECTORS.flatMap(({ kind, find }) =>
    find(facts).map(({ session, subject, cause, provider = null, model = null, ...rest }) => ({
      id: `${kind}.${shortDigest(`${facts.storeId} ${kind} ${subject}`)}`,
      kind,
      cause: `${kind} ${cause}`,
      ...rest,
      concerns: {
        storeId: facts.storeId,
        transcriptId: session.transcriptId,
        sessionId: session.sessionId,
        agent: session.agent,
        provider,
        model,
      },
    })),
  ).sort(compareFindings)
}
