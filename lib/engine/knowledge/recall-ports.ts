/** Where something recalled comes from. */
export const RECALL_ORIGINS = ['memory', 'cold', 'session'] as const

export type RecallOrigin = (typeof RECALL_ORIGINS)[number]

export type RecallText =
  | {
      readonly ok: true
      readonly text: string
      /** What had to be done to read it; null when nothing. */
      readonly note: string | null
    }
  | { readonly ok: false; readonly problem: string }

/** A text that can be recalled: a memory file, a chunk of cold storage, an old session. */
export type RecallSource = {
  /** Unique among all sources, and the same for the same one tomorrow. */
  readonly id: string
  readonly origin: RecallOrigin
  /** What it is called before a model, e.g. `memory/2024-01-15.md`. */
  readonly name: string
  /** The same stamp means the same text: it need not be read again. */
  readonly stamp: string
  read(): Promise<RecallText>
}

/** Something that holds sources: a workspace, cold storage, a store of sessions. */
export interface RecallPlace {
  /** Everything there is now. What could not be read is reported in sentences; it is not gone for that. */
  list(): Promise<{
    readonly sources: readonly RecallSource[]
    readonly problems: readonly string[]
    /**
     * How the ids begin of what could not be examined: what is known of it stays. Empty where the problems are of
     * another kind. Left out, problems may be about anything, so nothing at all is taken for gone.
     */
    readonly unseen?: readonly string[]
  }>
}

export type IndexedPiece = { readonly text: string; readonly line: number; readonly vector: Int8Array }

/** A source as the index keeps it. */
export type IndexedSource = Pick<RecallSource, 'id' | 'origin' | 'name' | 'stamp'> & {
  readonly pieces: readonly IndexedPiece[]
}

/** Where the index outlives the process. */
export interface RecallJournal {
  /** What was kept; empty with a sentence when it cannot be used, e.g. because another version wrote it. */
  load(): Promise<{ readonly sources: readonly IndexedSource[]; readonly problem: string | null }>
  /** Keeps changes: in proportion to them, not to the whole. */
  append(changes: { readonly put: readonly IndexedSource[]; readonly gone: readonly string[] }): Promise<void>
}
