import type { FoundStore, FoundTranscript, StoreReader } from '../read/ports'
import { transcriptLines } from '../read/transcript-lines'
import type { WriteTarget } from '../write/write-requests'
import { repairTarget } from './repair-target'

/** A transcript that can be checked, but is not written by us; `why` and `headless` say what to do instead. */
export type ReadOnlySubject = {
  readonly kind: 'read-only'
  readonly why: string
  readonly headless: string
  /** The bytes of its lines, from the first one on. */
  readonly lines: () => AsyncIterable<Uint8Array>
}

/** What a check or a repair is about. */
export type RepairSubject =
  | {
      readonly kind: 'file'
      readonly file: string
      readonly target: WriteTarget
      /** Session key or id, where one is known. */
      readonly session: string | null
    }
  | (ReadOnlySubject & {
      readonly file: string
      readonly session: string
      readonly store: FoundStore
      readonly transcript: FoundTranscript
    })

/** The transcript of a session as a check and a repair take it. */
export function repairSubject(
  reader: StoreReader,
  store: FoundStore,
  transcript: FoundTranscript,
): RepairSubject {
  const session = transcript.key ?? transcript.sessionId
  const found = repairTarget(store, transcript)
  if (found.kind === 'file') return { ...found, file: found.target.file, session }
  const lines = () => transcriptLines(reader, store, transcript)
  return { ...found, file: transcript.path, session, lines, store, transcript }
}
