import type { Bytes } from '../units/units'

/** One entry as lists show it; credentials in its preview are covered. */
export type EntryLine = {
  readonly seq: number
  /** Line number in the file; for SQLite stores the row. */
  readonly line: number
  readonly offset: number
  readonly bytes: Bytes
  /** Which entry of its line it is, where that holds several. */
  readonly piece?: number
  readonly type: string
  readonly role: string | null
  readonly id: string | null
  /** Milliseconds since the epoch. */
  readonly at: number | null
  /** Number of the call whose answer it is, if it is one. */
  readonly call: number | null
  readonly tool: string | null
  readonly preview: string | null
  readonly problem: string | null
}
