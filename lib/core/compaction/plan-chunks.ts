import type { CategoryTokens } from '../tokens/category'
import type { EntryTokens } from '../tokens/frame-entries'
import type { Tokens } from '../units/units'
import type { ChosenCut } from './choose-cut'
import { addEntry, addTo, type CategorySums, chunkOf, groupEndOf, pairedGroups } from './known-groups'
import { knownPath } from './known-path'
import type { ChunkAction, CompactionPlan, PlanChunk, PlanRule } from './plan'
import type { PlanInput } from './plan-input'

type Decision = { readonly action: ChunkAction; readonly rule: PlanRule }

/**
 * The context in chunks, each with what becomes of it and why; a call and its results are one. What is before the
 * conversation is the first. Their tokens add up to the total.
 */
export function planChunks(
  input: PlanInput,
  cut: ChosenCut,
  requests: CompactionPlan['requests'],
): PlanChunk[] {
  const decide = decider(input, cut, requests)
  const chunks: PlanChunk[] = [fixedChunk(input)]
  for (const group of pairedGroups(input.context)) {
    const { action, rule } = decide(group.seqs[0] ?? -1)
    chunks.push(chunkOf(group, action, rule))
  }
  return chunks
}

/** What the chunks of a plan come to. */
type ChunkSums = {
  /** Of those that go, and of those that go by their age alone. */
  readonly gone: Tokens
  readonly cut: Tokens
  readonly kept: CategoryTokens
  /** So many of each rule. */
  readonly oversized: number
  readonly pinned: number
}

/** The same decisions summed up: chunks are made of them for whoever reads the plan. */
export function sumChunks(input: PlanInput, cut: ChosenCut, requests: CompactionPlan['requests']): ChunkSums {
  const decide = decider(input, cut, requests)
  const { context } = input
  const kept: CategorySums = {}
  addTo(kept, input.fixed)
  let [gone, byAge, oversized, pinned] = [0, 0, 0, 0]
  for (let at = 0; at < context.length; ) {
    const { action, rule } = decide((context[at] as EntryTokens).entry.fact.seq)
    const end = groupEndOf(context, at)
    let tokens = 0
    for (; at < end; at++) {
      const entry = context[at] as EntryTokens
      if (action === 'keep') addEntry(kept, entry)
      else tokens += entry.tokens
    }
    gone += tokens
    if (rule === 'cut') byAge += tokens
    else if (rule === 'oversized') oversized += 1
    else if (rule === 'pinned') pinned += 1
  }
  return { gone, cut: byAge, kept, oversized, pinned }
}

function fixedChunk({ fixed }: PlanInput): PlanChunk {
  const tokens = Object.values(fixed).reduce((sum, part) => sum + part, 0)
  return { entryIds: [], seqs: [], action: 'keep', rule: 'fixed', tokens, byCategory: fixed }
}

const KEEP_RULES = {
  newest: { action: 'keep', rule: 'newest' },
  tail: { action: 'keep', rule: 'tail' },
  turns: { action: 'keep', rule: 'turns' },
  paired: { action: 'keep', rule: 'paired' },
} as const satisfies { readonly [rule: string]: Decision }

const EARLIER: Decision = { action: 'summarise', rule: 'earlier' }
const ASKED: Decision = { action: 'summarise', rule: 'asked' }
const PINNED: Decision = { action: 'summarise', rule: 'pinned' }
const COVERED: Decision = { action: 'summarise', rule: 'checkpoint' }
const OVERSIZED: Decision = { action: 'drop', rule: 'oversized' }
const PRUNED: Decision = { action: 'prune', rule: 'share' }
const PREFIX: Decision = { action: 'summarise', rule: 'prefix' }
const CUT: Decision = { action: 'summarise', rule: 'cut' }

function decider(
  { path, checkpoint }: PlanInput,
  cut: ChosenCut,
  { pruned, oversized }: CompactionPlan['requests'],
): (seq: number) => Decision {
  const { places } = knownPath(path)
  const newest = newestAsk(path)
  const [isPruned, isOversized] = [new Set(pruned), new Set(oversized)]
  return (seq) => {
    const place = places[seq] ?? -1
    // An earlier summary may be behind the cut in the file; its words are in the new one nevertheless.
    if (place === cut.previous) return EARLIER
    if (place >= cut.firstKept) return keepRule(place, cut, newest)
    if (place === newest) return ASKED
    if (path[place]?.fact.important) return PINNED
    if (checkpoint !== null) return seq <= checkpoint.uptoSeq ? COVERED : CUT
    if (isOversized.has(seq)) return OVERSIZED
    if (isPruned.has(seq)) return PRUNED
    return cut.turnStart !== null && place >= cut.turnStart ? PREFIX : CUT
  }
}

function newestAsk(path: PlanInput['path']): number {
  return path.findLastIndex(({ fact }) => fact.type === 'message' && fact.role === 'user')
}

function keepRule(place: number, cut: ChosenCut, newest: number): Decision {
  if (place === newest) return KEEP_RULES.newest
  if (place >= cut.tailStart) return KEEP_RULES.tail
  return cut.turnsStart !== null && place >= cut.turnsStart ? KEEP_RULES.turns : KEEP_RULES.paired
}
