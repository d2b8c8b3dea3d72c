import type { Bytes } from '../units/units'

/** A line that could not be read, where it is, and why. */
export type UnreadableLine = {
  readonly storeId: string
  readonly path: string
  readonly seq: number
  readonly line: number
  readonly bytes: Bytes
  readonly problem: string | null
  /** Unreadable lines of the same transcript, all together. */
  readonly inTranscript: number
}

/** How often an entry type that we do not know occurs in a store. */
export type UnknownType = {
  readonly storeId: string
  readonly type: string
  readonly count: number
  /** One place where it is. */
  readonly sample: { readonly id: string; readonly seq: number; readonly line: number }
}

/** A transcript that cannot be read at all, or not on, or that is damaged as a file. */
export type BrokenTranscript = {
  readonly storeId: string
  readonly path: string
  readonly problem: string
}
