import { SPAN_WEIGHTS, type Span, spansOf } from '../../relevance/spans'

/** A chunk of a session as needs are found in it. */
export type NeedChunk = {
  readonly text: string
  /** What the model itself wrote in it: its prose, and the arguments of its calls. null: it is no call. */
  readonly written: { readonly prose: string; readonly inputs: string } | null
}

/**
 * Something that a call wrote and that was in earlier chunks: any of them could have given it
 * (lib/docs/relevance.md#needs). What was nowhere the model knew or made up, and is no need.
 */
export type Need = {
  /** Number of the chunk of the call. */
  readonly at: number
  /** Chunks that held it, oldest first; at most the `MOST_SOURCES` latest. */
  readonly sources: readonly number[]
  readonly weight: number
}

/** Share of needs that are real, before it was calibrated; share of a span in prose (lib/docs/relevance.md#needs). */
const [PRECISION, PROSE] = [0.8, 0.5]
/** The latest ones are enough for every policy that drops older chunks first. */
const MOST_SOURCES = 12
/** Needs that weigh less are noise. */
const LEAST_WEIGHT = 0.05
/** What is in more than this share of the chunks counts half. */
const COMMON_SHARE = 0.3

/** How rare a span is, 0 … 1. */
export type Rarity = (span: string) => number

/** For a session alone: how common a span is elsewhere is unknown, so every one counts as rare. */
export const RARE: Rarity = () => 1

/** The needs of a session, in the order of its calls. */
export function needsOf(chunks: readonly NeedChunk[], rarity: Rarity): Need[] {
  const holders = new Map<string, number[]>()
  const needs: Need[] = []
  for (const [at, { text, written }] of chunks.entries()) {
    for (const [name, { kind, role }] of spansWritten(written)) {
      const sources = holders.get(name)
      if (sources === undefined) continue
      const common = sources.length > at * COMMON_SHARE && sources.length > 2 ? 0.5 : 1
      const weight = SPAN_WEIGHTS[kind] * role * rarity(name) * PRECISION * common
      if (weight >= LEAST_WEIGHT) needs.push({ at, sources: sources.slice(-MOST_SOURCES), weight })
    }
    for (const { text: name } of spansOf(text)) {
      const known = holders.get(name)
      if (known === undefined) holders.set(name, [at])
      else if (known.at(-1) !== at) known.push(at)
    }
  }
  return needs
}

function spansWritten(
  written: NeedChunk['written'],
): ReadonlyMap<string, { readonly kind: Span['kind']; readonly role: number }> {
  const spans = new Map<string, { kind: Span['kind']; role: number }>()
  if (written === null) return spans
  for (const { text, kind } of spansOf(written.prose)) spans.set(text, { kind, role: PROSE })
  for (const { text, kind } of spansOf(written.inputs)) spans.set(text, { kind, role: 1 })
  return spans
}

/**
 * The weight of needs that only dropped chunks could have met, for each dropped chunk: what speaks against its drop.
 * @param droppedAt for a chunk the number of the chunk before which it was dropped; undefined: it stayed
 */
export function unmetNeeds(
  needs: readonly Need[],
  droppedAt: (chunk: number) => number | undefined,
): Map<number, number> {
  const unmet = new Map<number, number>()
  for (const { at, sources, weight } of needs) {
    const gone = sources.filter((source) => (droppedAt(source) ?? Number.POSITIVE_INFINITY) <= at)
    if (gone.length < sources.length) continue
    // Any one of them would have been enough: they share what was lacking.
    for (const source of gone) unmet.set(source, (unmet.get(source) ?? 0) + weight / gone.length)
  }
  return unmet
}
