import { maskSecrets } from '../redaction/secrets'
import type { SessionFinding } from './finding'

/** A finding for a screen or a document: names and errors that came from transcripts are covered where they hold credentials. */
export function coverFinding(finding: SessionFinding): SessionFinding {
  return {
    ...finding,
    cause: maskSecrets(finding.cause),
    sentence: maskSecrets(finding.sentence),
    remedies: finding.remedies.map((remedy) => ({ ...remedy, words: maskSecrets(remedy.words) })),
  }
}
