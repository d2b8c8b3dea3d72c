import type { Frame } from '../tokens/frame'
import { type Branches, ROOT } from '../transcript/branches'
import { contextAt } from '../transcript/context'
import type { EntryFact } from '../transcript/entry'
import { isMidTask, lastMessageAt } from '../transcript/mid-task'
import type { Sender } from '../transcript/send-rules'
import { isOverflowError } from './overflow-error'

/** What set a compaction off, as far as the transcript tells. */
export type CompactionTrigger =
  /** The provider had refused the prompt as too long. */
  | 'overflow'
  /** The prompt stood near the end of its window. */
  | 'threshold'
  /** Neither: somebody asked for it, or a policy that acts earlier. */
  | 'early'
  | 'unknown'

/** What is odd about a compaction. */
export type CompactionOddity =
  /** The prompt afterwards was hardly smaller. */
  | 'reclaimed-nothing'
  /** No call was made since the compaction before. */
  | 'doubled'
  /** Nothing of the conversation stayed: a reset in fact. */
  | 'was-reset'

/** A recorded compaction or reset, ours or the runtime's. */
export type InspectedCompaction = {
  readonly seq: number
  readonly line: number
  readonly entryId: string
  readonly at: number | null
  readonly kind: 'compaction' | 'reset'
  readonly trigger: CompactionTrigger
  readonly fromHook: boolean
  /** Number of the last call before it, 0 when there was none. */
  readonly afterCall: number
  /** What the record says; null when it says nothing, or zero. */
  readonly recordedBefore: number | null
  /** Prompt of the last call before it and of the first one after it, in tokens; null when nobody reported it. */
  readonly promptBefore: number | null
  readonly promptAfter: number | null
  /** Entries that left the context, and that stayed in it; sequence numbers in order. */
  readonly summarised: readonly number[]
  readonly kept: readonly number[]
  readonly oddities: readonly CompactionOddity[]
  /** The agent was in the middle of something: its last message had called a tool, or its results had just come. */
  readonly midTask: boolean
}

/** Compactions that leave more than this share of the prompt have reclaimed nothing to speak of. */
const HARDLY_SMALLER = 0.9
/** From this share of the window on, the threshold of the runtimes explains a compaction (window − reserve of 25 % at most). */
const NEAR_FULL = 0.75

/** Looks at every boundary of a transcript, in file order (X7). */
export function inspectCompactions(
  branches: Branches,
  frames: readonly Frame[],
  sender: Sender,
): InspectedCompaction[] {
  const calls = frames.map(({ seq }) => seq)
  const found: InspectedCompaction[] = []
  for (const fact of branches.facts) {
    if (fact?.type !== 'compaction' && fact?.type !== 'reset') continue
    found.push(inspectOne(branches, frames, calls, fact, sender, found.at(-1)))
  }
  return found
}

function inspectOne(
  branches: Branches,
  frames: readonly Frame[],
  calls: readonly number[],
  fact: EntryFact,
  sender: Sender,
  previous: InspectedCompaction | undefined,
): InspectedCompaction {
  const parent = branches.parentOf(fact.seq)
  const before = parent === ROOT ? [] : contextAt(branches, parent, sender)
  const after = contextAt(branches, fact.seq, sender)
  const staying = new Set(after.map(({ fact: { seq } }) => seq))
  const summarised = before.flatMap(({ fact: { seq } }) => (staying.has(seq) ? [] : seq))
  const kept = after.flatMap(({ fact: { seq } }) => (seq === fact.seq ? [] : seq))
  const afterCall = countBefore(calls, fact.seq)
  const last = lastMessageAt(branches, parent)
  const frameBefore = frames[afterCall - 1]
  const promptBefore = frameBefore?.total.value ?? null
  const promptAfter = nextPrompt(branches, frames, afterCall, fact.seq)
  const recordedBefore = fact.tokensBefore === undefined || fact.tokensBefore <= 0 ? null : fact.tokensBefore
  return {
    seq: fact.seq,
    line: fact.line,
    entryId: fact.id ?? '',
    at: fact.at,
    kind: fact.type === 'reset' ? 'reset' : 'compaction',
    trigger: triggerOf(last, recordedBefore ?? promptBefore, frameBefore),
    fromHook: fact.fromHook === true,
    afterCall,
    recordedBefore,
    promptBefore,
    promptAfter,
    summarised,
    kept,
    oddities: odditiesOf({ fact, promptBefore, promptAfter, kept, afterCall, previous }),
    midTask: isMidTask(last),
  }
}

function triggerOf(
  last: EntryFact | undefined,
  tokens: number | null,
  frame: Frame | undefined,
): CompactionTrigger {
  if (last?.errorMessage !== undefined && isOverflowError(last.errorMessage)) return 'overflow'
  if (tokens === null || frame === undefined) return 'unknown'
  return tokens >= frame.window.tokens * NEAR_FULL ? 'threshold' : 'early'
}

function odditiesOf(one: {
  fact: EntryFact
  promptBefore: number | null
  promptAfter: number | null
  kept: readonly number[]
  afterCall: number
  previous: InspectedCompaction | undefined
}): CompactionOddity[] {
  const { fact, promptBefore, promptAfter, kept, afterCall, previous } = one
  if (fact.type === 'reset') return []
  const oddities: CompactionOddity[] = []
  if (promptBefore !== null && promptAfter !== null && promptAfter > promptBefore * HARDLY_SMALLER)
    oddities.push('reclaimed-nothing')
  if (previous?.kind === 'compaction' && previous.afterCall === afterCall) oddities.push('doubled')
  if (kept.length === 0) oddities.push('was-reset')
  return oddities
}

/** The prompt of the first call below a boundary. */
function nextPrompt(
  branches: Branches,
  frames: readonly Frame[],
  afterCall: number,
  boundary: number,
): number | null {
  for (const frame of frames.slice(afterCall, afterCall + LOOK_AHEAD)) {
    if (branches.path(frame.seq).includes(boundary)) return frame.total.value
  }
  return null
}

/** Calls of other branches may stand between; many more than a few do not. */
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
