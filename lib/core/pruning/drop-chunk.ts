import type { Score } from '../relevance/score'
import type { Tokens } from '../units/units'

/** A chunk of a context with what decides about it. */
export type DropChunk = {
  readonly id: string
  /** Places of its messages in the context, ascending; see `chunkGroups`. */
  readonly members: readonly number[]
  readonly tokens: Tokens
  /** When its newest message was written, in milliseconds since the epoch; null when unknown. */
  readonly at: number | null
  /** What begins a turn, what tools returned, what replaces history that is gone, and all else. */
  readonly role: 'user' | 'tool' | 'summary' | 'other'
  readonly important: boolean
  /** Names under which a policy may keep it always, such as `plan` or `error`. */
  readonly kinds: readonly string[]
  readonly score: Score
}
