import type { JsonObject } from '../../core/transcript/json'
import type { Translate } from '../../core/transcript/translated'
import type { FoundTranscript, StoreKind } from '../../engine/read/ports'
import type { Candidate, Surroundings } from '../discovery/surroundings'

/** Runtimes whose transcripts are translated line by line. */
type SourceKind = Exclude<StoreKind, 'openclaw' | 'pi'>

/** What the name and place of a file say of the transcript in it. */
export type SourceFile = Pick<FoundTranscript, 'sessionId' | 'key' | 'agent'> & {
  readonly state: 'live' | 'backup'
  /** It is a sub-agent's alone. */
  readonly ofAgent: boolean
}

/** A runtime's way of keeping transcripts in files: all that Plimsoll knows of it outside of the core. */
export type Source = {
  readonly kind: SourceKind
  /** As its makers write it. */
  readonly name: string
  readonly translate: Translate
  /** Where it keeps transcripts on this machine. */
  readonly places: (surroundings: Surroundings) => readonly Candidate[]
  /** The sessions folder that one of its other folders represents. */
  readonly sessionsIn: (folder: string) => string
  /** Whether all transcripts below a folder are its, by the name of that folder. */
  readonly owns: (folder: string) => boolean
  /** Whether a file is its, by the file's name alone. */
  readonly isNamed: (file: string) => boolean
  /** The transcript in a file; null: it is none. */
  readonly describe: (root: string, file: string) => SourceFile | null
  /** Whether a line is one of its transcripts' and of no other runtime's. */
  readonly knows: (line: JsonObject) => boolean
}
