import { sha256OfText } from '../adapters/write/sha256'
import type { FoundStore, FoundTranscript, StoreReader } from '../engine/read/ports'
import { proveRequests, type SessionProof } from '../engine/read/prove-requests'

/** What the requests that a transcript records prove. @throws SourceProblem when it cannot be read */
export function proofOf(
  reader: StoreReader,
  store: FoundStore,
  transcript: FoundTranscript,
): Promise<SessionProof> {
  return proveRequests({ reader, store, transcript }, sha256OfText)
}
