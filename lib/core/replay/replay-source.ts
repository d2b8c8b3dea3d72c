import type { Frame } from '../tokens/frame'
import type { Sender } from '../transcript/send-rules'
import type { Milliseconds } from '../units/units'
import type { ReplaySession } from './replay-session'
import type { HoldingText } from './spans/held-spans'

/** What is known of a session before its entries are read. */
export type ReplaySource = Pick<
  ReplaySession,
  'transcriptId' | 'storeId' | 'sessionId' | 'agent' | 'owner' | 'startedAt' | 'passedOver'
> & {
  readonly runtime: Sender
  /** The folder that is worked in. */
  readonly cwd: string | null
  /** One per call, in any order. */
  readonly frames: readonly Frame[]
}

/** A compaction while the session is read. */
export type RecordedBoundary = {
  readonly at: Milliseconds | null
  before: number
  firstKept: number
  readonly kept: Set<number>
  /** Chunks from here on came after it. */
  readonly end: number
  summary: HoldingText | null
  summaryUnits: number
  encrypted: boolean
  readonly asked: boolean
}
