import { unitsOf } from '../tokens/category'
import { hasFailed } from '../tokens/frame'
import { isCall } from '../transcript/context'
import type { EntryFact } from '../transcript/entry'
import type { FoldBoundary } from '../transcript/fold/fold-step'
import type { Milliseconds, Tokens } from '../units/units'
import type { SettledCall } from './settled-call'

/** What a compaction did to the prompt, what came in around it counted out. Tokens. */
export type CompactionEffect = {
  /** The prompt that would have been sent without it, and the one that was, less what came after it. */
  readonly before: Tokens
  readonly after: Tokens
  /** The provider cut one of the two. */
  readonly isCut: boolean
  readonly line: number
  readonly at: Milliseconds | null
  /** The last call before it (0: none), and the first answered one after it. */
  readonly afterCall: number
  readonly nextCall: number
}

/** Plain JSON. A unit of the estimator is about a token. */
export type EffectWatch = {
  /** Prompt and answer of the last answered call, and units that came since its answer. */
  last: { tokens: Tokens; isCut: boolean; call: number } | null
  since: number
  /** Compactions without an answered call since; the first of them has the prompt before. */
  open: { before: Tokens; isCut: boolean; line: number; at: Milliseconds | null; afterCall: number } | null
  /** Units since the last compaction up to the newest answer, and since that answer. */
  incoming: number
}

export function newEffectWatch(): EffectWatch {
  return { last: null, since: 0, open: null, incoming: 0 }
}

export function watchEntry(watch: EffectWatch, entry: EntryFact): void {
  if (isCall(entry)) {
    watch.incoming = watch.since
    watch.since = 0
    return
  }
  if (entry.units === undefined || entry.type === 'compaction' || entry.role === 'assistant') return
  // A summary that is an entry behind its boundary is the compaction's.
  watch.since += unitsOf(entry.units) - (entry.units.summary ?? 0)
}

/** @returns the compaction that this call shows the effect of; null: none */
export function watchCall(watch: EffectWatch, { frame }: SettledCall): CompactionEffect | null {
  const { total, output, call, seenTokens } = frame
  if (total.value === null || hasFailed(frame)) return null
  const { open, incoming } = watch
  // What is counted by us alone says nothing of what a compaction freed.
  if (total.basis !== 'measured' && seenTokens === null) {
    watch.last = null
    watch.open = null
    return null
  }
  watch.last = { tokens: total.value + (output.value ?? 0), isCut: seenTokens !== null, call }
  watch.open = null
  if (open === null) return null
  const { isCut, ...rest } = open
  return {
    ...rest,
    after: Math.max(0, total.value - incoming),
    isCut: isCut || seenTokens !== null,
    nextCall: call,
  }
}

export function watchBoundary(watch: EffectWatch, { kind, at, afterCall }: FoldBoundary, line: number): void {
  const { last, since } = watch
  watch.since = 0
  if (kind === 'reset') {
    watch.last = null
    watch.open = null
    return
  }
  if (last === null) return
  watch.open ??= { before: last.tokens + since, isCut: last.isCut, line, at, afterCall }
}
