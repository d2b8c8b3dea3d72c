import type { PolicySubject } from '../policy/effective'
import { otherPoliciesAt, policyAt } from '../policy/runtime/policy-at'
import type { RuntimeStore } from '../policy/runtime/runtime-policy'
import type { Basis } from '../tokens/figure'
import { type Frame, hasFailed } from '../tokens/frame'
import { reportedPrompt } from '../tokens/usage'
import type { Branches } from '../transcript/branches'
import { contextAt, isBoundary } from '../transcript/context'
import type { EntryFact } from '../transcript/entry'
import { isMidTask, lastMessageAt } from '../transcript/fold/mid-task'
import { isProviderCompaction } from '../transcript/provider-checkpoint'
import type { Sender } from '../transcript/send-rules'
import type { RecordedCompaction } from '../transcript/session-index'
import { type CompactionExplanation, explainCompaction, type SizedCall } from './explain'
import {
  type CheckpointOddity,
  checkpointEffect,
  type ProviderCompaction,
  providerCompaction,
} from './inspect-checkpoint'
import { isOverflowError } from './overflow-error'

/** What set a compaction off, as far as the transcript tells. */
export type CompactionTrigger =
  /** The provider had refused the prompt as too long. */
  | 'overflow'
  /** The line at which its runtime compacts automatically was reached. */
  | 'threshold'
  /** It was asked for, as the runtime noted, or as it is with every reset. */
  | 'asked'
  /** Below that line: it was asked for, or a rule of another release. */
  | 'early'
  /** The provider did it on its own side, at its own threshold. */
  | 'provider'
  | 'unknown'

/** What is odd about a compaction. */
export type CompactionOddity =
  /** The prompt afterwards was hardly smaller. */
  | 'reclaimed-nothing'
  /** The provider cut the prompts before and after it to the same size: it saw no less afterwards. */
  | 'cut-prompts'
  /** No call was made since the compaction before. */
  | 'doubled'
  /** Nothing of the conversation stayed: a reset in fact. */
  | 'was-reset'
  | CheckpointOddity

/** A recorded compaction or reset: ours, the runtime's, or a compaction that the provider made on its own side. */
export type InspectedCompaction = {
  readonly seq: number
  readonly line: number
  readonly entryId: string
  readonly at: number | null
  readonly kind: 'compaction' | 'reset' | 'provider'
  /** Of one that the provider made. */
  readonly provider?: ProviderCompaction
  readonly trigger: CompactionTrigger
  readonly fromHook: boolean
  /** Number of the last call before it, 0 when there was none. */
  readonly afterCall: number
  /** What the record says; null when it says nothing, or zero. */
  readonly recordedBefore: number | null
  /** Prompt of the last call before it and of the first one after it, in tokens; null when not reported. */
  readonly promptBefore: number | null
  readonly promptAfter: number | null
  /** Entries that left the context, and that stayed in it; sequence numbers in order. */
  readonly summarised: readonly number[]
  readonly kept: readonly number[]
  /** Whether those were reported, or are what we count: of calls that failed, or whose prompt was cut. */
  readonly beforeBasis: Basis
  readonly afterBasis: Basis
  readonly oddities: readonly CompactionOddity[]
  /** The agent was in the middle of something: its last message had called a tool, or its results had just come. */
  readonly midTask: boolean
  /** How it agrees with what its runtime does; null for a reset, and where the provider did it. */
  readonly explanation: CompactionExplanation | null
}

/** What is known of the runtime behind recorded compactions. */
export type CompactionJudge = {
  readonly store: RuntimeStore
  readonly subject: PolicySubject
  /** What the runtime's index says of single compactions. */
  readonly recorded: readonly RecordedCompaction[]
}

/** Compactions that leave more than this share of the prompt have reclaimed nothing to speak of. */
const HARDLY_SMALLER = 0.9

/** Looks at every boundary of a transcript, in file order. */
export function inspectCompactions(
  branches: Branches,
  frames: readonly Frame[],
  sender: Sender,
  judge: CompactionJudge,
): InspectedCompaction[] {
  const calls = frames.map(({ seq }) => seq)
  const reasons = new Map(judge.recorded.map(({ entryId, reason }) => [entryId, reason]))
  const explain = (fact: EntryFact, afterCall: number, from: number) =>
    explainFact({ branches, frames, judge, reasons }, fact, afterCall, from)
  const found: InspectedCompaction[] = []
  const known = new Set<string | null>()
  for (const fact of branches.facts) {
    if (fact === undefined) continue
    if (isBoundary(fact)) {
      // One record, written twice, is one compaction.
      if (known.has(fact.id)) continue
      known.add(fact.id)
      found.push(inspectOne(branches, frames, calls, fact, sender, found.at(-1), explain))
    } else if (isProviderCompaction(fact))
      found.push(inspectCheckpoint(branches, frames, calls, fact, sender))
  }
  return found
}

function inspectCheckpoint(
  branches: Branches,
  frames: readonly Frame[],
  calls: readonly number[],
  fact: EntryFact,
  sender: Sender,
): InspectedCompaction {
  const afterCall = countBefore(calls, fact.seq + 1)
  const promptBefore = reportedPrompt(fact)
  const effect = checkpointEffect(branches, frames, fact, afterCall, sender)
  const promptAfter = effect.promptAfter.value
  const oddities: CompactionOddity[] = [...effect.oddities]
  if (freedNothing(promptBefore, promptAfter)) oddities.push('reclaimed-nothing')
  return {
    seq: fact.seq,
    line: fact.line,
    entryId: fact.id ?? '',
    at: fact.at,
    kind: 'provider',
    ...(fact.checkpoint !== undefined && { provider: providerCompaction(fact.checkpoint) }),
    trigger: 'provider',
    fromHook: false,
    afterCall,
    recordedBefore: null,
    promptBefore,
    promptAfter,
    beforeBasis: promptBefore === null ? 'unknown' : 'measured',
    afterBasis: effect.promptAfter.basis,
    summarised: effect.summarised,
    kept: [],
    oddities,
    midTask: isMidTask(lastMessageAt(branches, branches.parentOf(fact.seq))),
    explanation: null,
  }
}

function inspectOne(
  branches: Branches,
  frames: readonly Frame[],
  calls: readonly number[],
  fact: EntryFact,
  sender: Sender,
  previous: InspectedCompaction | undefined,
  explain: (fact: EntryFact, afterCall: number, from: number) => CompactionExplanation,
): InspectedCompaction {
  const parent = branches.parentOf(fact.seq)
  const before = contextAt(branches, parent, sender, 'full')
  const after = contextAt(branches, fact.seq, sender)
  const staying = new Set(after.map(({ fact: { seq } }) => seq))
  const summarised = before.flatMap(({ fact: { seq } }) => (staying.has(seq) ? [] : seq))
  const kept = after.flatMap(({ fact: { seq } }) => (seq === fact.seq ? [] : seq))
  const afterCall = countBefore(calls, fact.seq)
  const last = lastMessageAt(branches, parent)
  const frameBefore = frames[afterCall - 1]
  const promptBefore = frameBefore?.total.value ?? null
  const frameAfter = nextFrame(branches, frames, afterCall, fact.seq)
  const promptAfter = frameAfter?.total.value ?? null
  const explanation = fact.type === 'reset' ? null : explain(fact, afterCall, previous?.afterCall ?? 0)
  return {
    seq: fact.seq,
    line: fact.line,
    entryId: fact.id ?? '',
    at: fact.at,
    kind: fact.type === 'reset' ? 'reset' : 'compaction',
    trigger: explanation === null ? 'asked' : triggerOf(explanation),
    fromHook: fact.fromHook === true,
    afterCall,
    recordedBefore: recordedSize(fact),
    promptBefore,
    promptAfter,
    beforeBasis: frameBefore?.total.basis ?? 'unknown',
    afterBasis: frameAfter?.total.basis ?? 'unknown',
    summarised,
    kept,
    oddities: odditiesOf({ fact, frameBefore, frameAfter, kept, afterCall, previous }),
    midTask: isMidTask(last),
    explanation,
  }
}

/** null where a record says nothing of the size, or no size. Tokens. */
function recordedSize({ tokensBefore = 0 }: EntryFact): number | null {
  return tokensBefore > 0 ? tokensBefore : null
}

function triggerOf({ verdict, reason }: CompactionExplanation): CompactionTrigger {
  if (verdict === 'explained' || reason === 'other-version' || reason === 'late') return 'threshold'
  if (reason === 'overflow') return 'overflow'
  if (reason === 'manual' || reason === 'ours') return 'asked'
  return verdict === 'apart' ? 'unknown' : 'early'
}

type Looked = {
  readonly branches: Branches
  readonly frames: readonly Frame[]
  readonly judge: CompactionJudge
  readonly reasons: ReadonlyMap<string, RecordedCompaction['reason']>
}

/** @param from the call that the boundary before it came after */
function explainFact(
  { branches, frames, judge, reasons }: Looked,
  fact: EntryFact,
  afterCall: number,
  from: number,
): CompactionExplanation {
  const last = lastMessageAt(branches, branches.parentOf(fact.seq))
  const frame = frames[afterCall - 1]
  const next = frames[afterCall]
  const then = { at: fact.at, provider: frame?.provider ?? null, entryId: fact.id }
  const { store, subject } = judge
  const model = frame?.model ?? null
  return explainCompaction(
    {
      calls: frames.slice(from, afterCall).map(sizedCall),
      recorded: recordedSize(fact),
      incoming: unitsBetweenCalls(branches, frame?.seq ?? -1, next?.seq ?? branches.facts.length, fact.seq),
      nextOutput: next?.output.value ?? 0,
      overflow: last?.errorMessage !== undefined && isOverflowError(last.errorMessage),
      reason: fact.asked ? 'manual' : ((fact.id === null ? undefined : reasons.get(fact.id)) ?? null),
      ours: fact.ours === true,
      model,
      window: frame?.window ?? null,
      next: next === undefined || next.model === model ? null : { model: next.model, window: next.window },
    },
    policyAt(store, { ...subject, model }, then),
    otherPoliciesAt(store, { ...subject, model }, then),
  )
}

/**
 * As the runtime sees it: it goes by what was reported, also where the provider cut the prompt, and passes over
 * failures.
 */
function sizedCall(frame: Frame): SizedCall {
  const { total, output, stopReason, seenTokens } = frame
  const reported = seenTokens ?? (total.basis === 'measured' && !hasFailed(frame) ? total.value : null)
  return {
    tokens: reported === null ? null : reported + (output.value ?? 0),
    endsTurn: stopReason !== 'toolUse',
  }
}

/** Estimator units of what is between two calls, a boundary's own summary left out; a unit is about a token. */
function unitsBetweenCalls(branches: Branches, from: number, to: number, boundary: number): number {
  let sum = 0
  for (let seq = from + 1; seq < to; seq++) {
    const fact = branches.facts[seq]
    if (fact === undefined || seq === boundary || fact.role === 'assistant') continue
    for (const units of Object.values(fact.units ?? {})) sum += units
  }
  return sum
}

function odditiesOf(one: {
  fact: EntryFact
  frameBefore: Frame | undefined
  frameAfter: Frame | undefined
  kept: readonly number[]
  afterCall: number
  previous: InspectedCompaction | undefined
}): CompactionOddity[] {
  const { fact, frameBefore, frameAfter, kept, afterCall, previous } = one
  if (fact.type === 'reset') return []
  const oddities: CompactionOddity[] = []
  // A provider that cuts prompts sees as little after it as before, however much it took away.
  const isCut = frameBefore != null && frameAfter != null && frameBefore.seenTokens !== null
  if (isCut && frameAfter.seenTokens !== null) oddities.push('cut-prompts')
  else if (freedNothing(frameBefore?.total.value ?? null, frameAfter?.total.value ?? null))
    oddities.push('reclaimed-nothing')
  if (previous?.kind === 'compaction' && previous.afterCall === afterCall) oddities.push('doubled')
  if (kept.length === 0) oddities.push('was-reset')
  return oddities
}

function freedNothing(before: number | null, after: number | null): boolean {
  return before !== null && after !== null && after > before * HARDLY_SMALLER
}

/**
 * The first call below a boundary that was answered: a failed one may have been of another prompt, and is estimated.
 */
function nextFrame(
  branches: Branches,
  frames: readonly Frame[],
  afterCall: number,
  boundary: number,
): Frame | undefined {
  return frames
    .slice(afterCall, afterCall + LOOK_AHEAD)
    .find((frame) => !hasFailed(frame) && branches.path(frame.seq).includes(boundary))
}

/** Calls of other branches may be between; many more than a few do not. */
const LOOK_AHEAD = 5

/** How many of the ascending numbers are below `seq`. */
function countBefore(numbers: readonly number[], seq: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] as number) < seq) low = middle + 1
    else high = middle
  }
  return low
}
