import type { ArchivedVersion } from '../../core/archive/archived-version'
import type { FoundTranscript } from '../read/ports'

/** Finds what became of transcripts that a store no longer lists under their name: runtimes rename what they put aside. */
export class Heirs {
  private readonly bySession = new Map<string, FoundTranscript[]>()

  /** @param listed all that the store lists now */
  constructor(listed: Iterable<FoundTranscript>) {
    for (const transcript of listed) {
      const others = this.bySession.get(transcript.sessionId)
      if (others === undefined) this.bySession.set(transcript.sessionId, [transcript])
      else others.push(transcript)
    }
  }

  /** The id of the listed transcript that has the content of a copy now; null when none has. */
  of({ sessionId, form, stamp }: Pick<ArchivedVersion, 'sessionId' | 'form' | 'stamp'>): string | null {
    // A number of a file alone may have been given to another file since.
    const heir = this.bySession
      .get(sessionId)
      ?.find((other) => form === 'lines' || (other.stamp.dev === stamp.dev && other.stamp.ino === stamp.ino))
    return heir?.id ?? null
  }
}
