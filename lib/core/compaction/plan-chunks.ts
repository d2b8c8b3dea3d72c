import type { EntryCategory } from '../tokens/category'
import type { EntryTokens } from '../tokens/frame-entries'
import type { ChosenCut } from './choose-cut'
import type { ChunkAction, CompactionPlan, PlanChunk, PlanRule } from './plan'
import type { PlanInput } from './plan-input'

type Decision = { readonly action: ChunkAction; readonly rule: PlanRule }

/**
 * The context in chunks, each with what becomes of it and why; a call and its results are one. What stands before the
 * conversation is the first. Their tokens add up to the total.
 */
export function planChunks(
  input: PlanInput,
  cut: ChosenCut,
  requests: CompactionPlan['requests'],
): PlanChunk[] {
  const decide = decider(input, cut, requests)
  const chunks: PlanChunk[] = [fixedChunk(input)]
  const { context } = input
  for (let at = 0; at < context.length; ) {
    const first = context[at] as EntryTokens
    const end = groupEnd(context, at)
    const decision = decide(first.entry.fact.seq)
    // Most chunks are one entry, and a long context has very many.
    chunks.push(end === at + 1 ? chunkOfOne(first, decision) : chunkOf(context.slice(at, end), decision))
    at = end
  }
  return chunks
}

function fixedChunk({ fixed }: PlanInput): PlanChunk {
  const tokens = Object.values(fixed).reduce((sum, part) => sum + part, 0)
  return { entryIds: [], seqs: [], action: 'keep', rule: 'fixed', tokens, byCategory: fixed }
}

function decider(
  { path, checkpoint }: PlanInput,
  cut: ChosenCut,
  { pruned, prefix, oversized }: CompactionPlan['requests'],
): (seq: number) => Decision {
  const placeOf = placesBySeq(path)
  const newest = path.findLastIndex(({ fact }) => fact.type === 'message' && fact.role === 'user')
  const [isPruned, isPrefix, isOversized] = [new Set(pruned), new Set(prefix), new Set(oversized)]
  return (seq) => {
    const place = placeOf[seq] ?? -1
    // An earlier summary may stand behind the cut in the file; its words are in the new one all the same.
    if (place === cut.previous) return { action: 'summarise', rule: 'earlier' }
    if (place >= cut.firstKept) return { action: 'keep', rule: keepRule(place, cut, newest) }
    if (place === newest) return { action: 'summarise', rule: 'asked' }
    if (checkpoint !== null)
      return { action: 'summarise', rule: seq <= checkpoint.uptoSeq ? 'checkpoint' : 'cut' }
    if (isOversized.has(seq)) return { action: 'drop', rule: 'oversized' }
    if (isPruned.has(seq)) return { action: 'prune', rule: 'share' }
    if (isPrefix.has(seq)) return { action: 'summarise', rule: 'prefix' }
    return { action: 'summarise', rule: 'cut' }
  }
}

/** Index in the path by sequence number, -1 for what does not stand on it. A map would cost as much as the plan. */
function placesBySeq(path: PlanInput['path']): Int32Array {
  const last = path.reduce((most, { fact }) => Math.max(most, fact.seq), 0)
  const places = new Int32Array(last + 1).fill(-1)
  for (let i = 0; i < path.length; i++) places[path[i]?.fact.seq ?? 0] = i
  return places
}

function keepRule(place: number, cut: ChosenCut, newest: number): PlanRule {
  if (place === newest) return 'newest'
  if (place >= cut.tailStart) return 'tail'
  return cut.turnsStart !== null && place >= cut.turnsStart ? 'turns' : 'paired'
}

function chunkOfOne({ entry, tokens, byCategory }: EntryTokens, { action, rule }: Decision): PlanChunk {
  const { id, seq } = entry.fact
  return { entryIds: id === null ? [] : [id], seqs: [seq], action, rule, tokens, byCategory }
}

function chunkOf(group: readonly EntryTokens[], { action, rule }: Decision): PlanChunk {
  return {
    entryIds: group.flatMap(({ entry }) => entry.fact.id ?? []),
    seqs: group.map(({ entry }) => entry.fact.seq),
    action,
    rule,
    tokens: group.reduce((sum, part) => sum + part.tokens, 0),
    byCategory: together(group),
  }
}

function together(group: readonly EntryTokens[]): PlanChunk['byCategory'] {
  const sums: { [C in EntryCategory]?: number } = {}
  for (const { byCategory } of group)
    for (const name in byCategory) {
      const category = name as EntryCategory
      sums[category] = (sums[category] ?? 0) + (byCategory[category] ?? 0)
    }
  return sums
}

/** Where a group ends: an assistant's message with the results right behind it are one, every other entry by itself. */
function groupEnd(context: readonly EntryTokens[], at: number): number {
  const calls = context[at]?.entry.fact.calls
  if (calls === undefined) return at + 1
  let end = at + 1
  for (; end < context.length; end++) {
    const answers = context[end]?.entry.fact.resultFor
    if (answers === undefined || !calls.some(({ id }) => id === answers)) break
  }
  return end
}
