import { sourceNamed } from '../adapters/sources/sources'
import { sha256OfText } from '../adapters/write/sha256'
import type { FoundStore, FoundTranscript, StoreReader } from '../engine/read/ports'
import { proveRequests, type SessionProof } from '../engine/read/prove-requests'

/**
 * What the requests that a transcript records prove; null where its runtime records none.
 * @throws SourceProblem when it cannot be read
 */
export async function proofOf(
  reader: StoreReader,
  store: FoundStore,
  transcript: FoundTranscript,
): Promise<SessionProof | null> {
  const ledger = sourceNamed(store.kind)?.requests?.(sha256OfText)
  return ledger === undefined ? null : proveRequests({ reader, store, transcript }, ledger)
}
