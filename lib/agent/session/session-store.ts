import type { RunTotals } from '../../core/transcript/session-lines'
import type { Tokens } from '../../core/units/units'

/** What a session goes through; `assemble`, `execute` and `compact` come again and again. */
export type SessionPhase = 'create' | 'start' | 'assemble' | 'execute' | 'compact' | 'close'

/** Something that is to be added to a transcript. */
export type SessionEntry =
  /** `json`: the message as it was said. */
  | { readonly kind: 'message'; readonly json: string }
  /** `kept`: id of the first entry that stayed. `tokensBefore`: null where not counted. */
  | {
      readonly kind: 'compaction'
      readonly summary: string
      readonly kept: string
      readonly tokensBefore: Tokens | null
    }

/** What is known of a session that is gone on with. */
export type OpenedSession = {
  /** It was made just now. */
  readonly isNew: boolean
  /** The messages that its transcript holds, as JSON, with the ids of their entries; oldest first. */
  readonly messages: readonly { readonly id: string; readonly json: string }[]
}

/**
 * Where an agent's sessions are kept as they were said, whatever becomes of its context: see `openSessions`. What a
 * call has answered is on the disk.
 */
export interface SessionStore {
  /** Makes the session, index and transcript, before its first message; or goes on with the one that is there. */
  open(session: string): Promise<OpenedSession>
  /** Adds entries. Answers their ids, in their order. */
  append(session: string, entries: readonly SessionEntry[]): Promise<readonly string[]>
  /** Writes into the index what the run measured. */
  note(session: string, totals: RunTotals): Promise<void>
}
