import {
  type CompactionJudge,
  type InspectedCompaction,
  inspectCompactions,
} from '../../core/compaction/inspect'
import { NO_SUBJECT } from '../../core/policy/effective'
import type { Frame } from '../../core/tokens/frame'
import { Branches } from '../../core/transcript/branches'
import { SessionFold } from '../../core/transcript/fold/fold'
import { runtimeStoreWith } from './runtime-policy'
import type { TranscriptBuilder } from './transcript'

/** What is known besides a transcript when its compactions are looked at. */
export type Look = {
  readonly judge?: Partial<CompactionJudge>
  /** The window that the index names. Tokens. */
  readonly window?: number
  /** What is changed of the frames, by the number of their call. */
  readonly frames?: { readonly [call: number]: Partial<Frame> }
}

/** A recorded compaction that freed nothing, but for what is named. */
export function inspectedCompaction(over: Partial<InspectedCompaction> = {}): InspectedCompaction {
  return {
    ...{ seq: 40, line: 41, entryId: 'c1', at: 1_000, afterCall: 12 },
    ...{ kind: 'compaction', trigger: 'threshold', fromHook: false, midTask: false },
    ...{ recordedBefore: null, promptBefore: 4_096, promptAfter: 4_096 },
    ...{ beforeBasis: 'measured', afterBasis: 'measured' },
    ...{ summarised: [1], kept: [38, 39], oddities: [], explanation: null },
    ...over,
  }
}

/** Compactions of a session of OpenClaw 2026.2.26, whose window of 200,000 tokens it compacts at 180,000. */
export function inspected(
  builder: TranscriptBuilder,
  { judge = {}, window = 200_000, frames: changed = {} }: Look = {},
): InspectedCompaction[] {
  const facts = builder.facts()
  const hints = { index: { tokens: window, model: null } }
  const fold = SessionFold.start({ runtime: 'openclaw', hints, report: null })
  const frames = facts.flatMap((fact) => fold.push(fact).frame ?? [])
  const edited = frames.map((frame) => ({ ...frame, ...changed[frame.call] }))
  return inspectCompactions(Branches.of(facts), edited, 'openclaw', {
    ...{ store: runtimeStoreWith(), subject: NO_SUBJECT, recorded: [], ...judge },
  })
}
