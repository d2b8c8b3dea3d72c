import type { DeletionRule } from '../../core/archive/runtime-deletion'
import type { LabelledFile } from '../../core/policy/effective'
import type { StatedVersion } from '../../core/policy/runtime/openclaw-release'
import type { RequestLedger } from '../../core/sources/claude-code/requests'
import type { JsonObject } from '../../core/transcript/json'
import type { Translate } from '../../core/transcript/reading/translated'
import type {
  Cursor,
  EntryPlace,
  FoundStore,
  FoundTranscript,
  ReadBatch,
  ReadStart,
  StoreKind,
} from '../../engine/read/ports'
import type { HashText } from '../../engine/read/prove-requests'
import type { Candidate, Surroundings } from '../discovery/surroundings'
import type { ReadLimits, ReadOptions } from '../jsonl/read-limits'
import type { SqliteFiles } from '../sqlite/read-only'

/** Runtimes whose transcripts are translated line by line. */
type SourceKind = Exclude<StoreKind, 'openclaw' | 'pi'>

/** What the name and place of a file say of the transcript in it. */
export type SourceFile = Pick<FoundTranscript, 'sessionId' | 'key' | 'agent'> & {
  readonly state: 'live' | 'backup'
  /** It is a sub-agent's alone. */
  readonly ofAgent: boolean
}

/** Where a runtime keeps transcripts, and how they are distinguished from those of others. */
export type SourceDiscovery = {
  /** Where it keeps transcripts on this machine. */
  readonly places: (surroundings: Surroundings) => readonly Candidate[]
  /** The sessions folder that one of its other folders represents. */
  readonly sessionsIn: (folder: string) => string
  /** Whether all transcripts below a folder are its, by the name of that folder. */
  readonly owns: (folder: string) => boolean
  /** Whether a file is its, by the file's name alone. */
  readonly isNamed: (file: string) => boolean
  /** Whether a line is one of its transcripts' and of no other runtime's. */
  readonly knows: (line: JsonObject) => boolean
}

/** How its transcripts are read: lines of files, or records of databases. */
export type SourceReading = LineReading | DatabaseReading

type LineReading = {
  readonly era: 'jsonl'
  /** The entries of one line: pure, in `core/sources/<runtime>`. */
  readonly translate: Translate
  /** The transcript in a file; null: it is none. */
  readonly describe: (root: string, file: string) => SourceFile | null
}

/** Databases are read in the process for those of strangers, and never written to. */
export type DatabaseReading = {
  readonly era: 'sqlite'
  /** The entries of one record. */
  readonly translate: Translate
  /** What to say of a store without sessions. */
  readonly emptyWords: (root: string) => string
  /** See `StoreReader.list`. */
  readonly list: (sqlite: SqliteFiles, store: FoundStore) => AsyncGenerator<FoundTranscript>
  /** See `StoreReader.read`. */
  readonly read: (
    sqlite: SqliteFiles,
    transcript: FoundTranscript,
    cursor: Cursor | null,
    onStart: (start: ReadStart) => void,
    options: ReadOptions,
  ) => AsyncGenerator<ReadBatch>
  /** See `StoreReader.source`. */
  readonly source: (
    sqlite: SqliteFiles,
    transcript: FoundTranscript,
    place: EntryPlace,
    limits: ReadLimits,
  ) => Promise<string>
}

/** Requests that its transcripts record by hashes; null: they record none. */
type SourceRequests = ((hash: HashText) => RequestLedger) | null

/** What its own settings say, from the files beside a store's sessions. */
export type SourceSettings = {
  /** The folder that holds its settings files. @param root of the store */
  readonly folderOf: (root: string) => string
  /** Names of the files in that folder that say how it compacts, weakest first. */
  readonly files: readonly string[]
  /** Files elsewhere that count more, as the machine's administrator put them there: absolute paths, weakest first. */
  readonly managed: readonly string[]
  /**
   * What files say that are not settings alone, or the machine's for want of the user's; weaker than all others. They are
   * read for this only, and never shown.
   */
  readonly besides: (root: string) => readonly LabelledFile[]
  /** The release that wrote the newest session of a store. */
  readonly versionOf: (root: string) => StatedVersion | null
  /** By which rule it deletes transcripts by their age; null: by none that is known. */
  readonly deletionOf: (root: string) => DeletionRule | null
}

/** All that Plimsoll knows of a runtime outside of the core; a folder for each, with a file for each part. */
export type Source = {
  readonly kind: SourceKind
  /** As its makers write it. */
  readonly name: string
  readonly discovery: SourceDiscovery
  readonly reading: SourceReading
  readonly requests: SourceRequests
  readonly settings: SourceSettings
}
