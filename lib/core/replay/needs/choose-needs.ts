import type { ReplayNeeds } from '../replay-session'

/**
 * Some of the needs of a session, each with the weight it gets.
 * @param kept their numbers, in rising order, and their weights
 */
export function chooseNeeds(
  needs: ReplayNeeds,
  kept: readonly number[],
  weightOf: (need: number) => number,
): ReplayNeeds {
  const offset = new Int32Array(kept.length + 1)
  const source: number[] = []
  for (const [i, need] of kept.entries()) {
    for (let s = needs.offset[need] as number; s < (needs.offset[need + 1] as number); s++)
      source.push(needs.source[s] as number)
    offset[i + 1] = source.length
  }
  const of = (column: Int32Array) => Int32Array.from(kept, (need) => column[need] as number)
  return {
    count: kept.length,
    at: of(needs.at),
    weight: Float32Array.from(kept, weightOf),
    kind: Uint8Array.from(kept, (need) => needs.kind[need] as number),
    span: of(needs.span),
    offset,
    source: Int32Array.from(source),
  }
}
