import { emittedText } from '../../core/repair/edit-line'
import type { Emission, RepairPlan } from '../../core/repair/plan'
import { splitLines } from '../read/split-lines'
import type { Decode } from './check-transcript'

const NEWLINE = new Uint8Array([10])

/**
 * The new bytes of a transcript, made from the old ones by a plan. Lines that the plan does not name go through as they
 * are; only lines that change places are held in memory.
 */
export async function* rewriteLines(
  read: () => AsyncIterable<Uint8Array>,
  plan: RepairPlan,
  decode: Decode,
): AsyncGenerator<Uint8Array> {
  const carried = await carry(read, plan)
  const encoder = new TextEncoder()
  function* emit(
    emissions: readonly Emission[],
    own: Uint8Array | null,
    line: number,
  ): Generator<Uint8Array> {
    for (const emission of emissions) {
      if (emission.kind === 'made') yield encoder.encode(emittedText(emission, ''))
      else {
        const bytes = emission.line === line && own !== null ? own : carried.get(emission.line)
        if (bytes === undefined) throw new Error(`Line ${emission.line} is not there any more`)
        const isWhole = emission.part === undefined && emission.edits.length === 0
        yield isWhole ? bytes : encoder.encode(emittedText(emission, decode(bytes)))
      }
      yield NEWLINE
    }
  }
  yield* emit(plan.lines.get(0) ?? [], null, 0)
  for await (const lines of splitLines(read(), Number.POSITIVE_INFINITY)) {
    const out = new Gathered()
    for (const { line, bytes, ended } of lines) {
      const emissions = plan.lines.get(line)
      if (emissions !== undefined) for (const part of emit(emissions, bytes, line)) out.add(part)
      else {
        out.add(bytes)
        if (ended) out.add(NEWLINE)
      }
    }
    yield out.bytes()
  }
}

/** The bytes of lines that are written elsewhere than where they are. */
async function carry(
  read: () => AsyncIterable<Uint8Array>,
  { carried }: RepairPlan,
): Promise<ReadonlyMap<number, Uint8Array>> {
  const kept = new Map<number, Uint8Array>()
  if (carried.size === 0) return kept
  for await (const lines of splitLines(read(), Number.POSITIVE_INFINITY)) {
    for (const { line, bytes } of lines) if (carried.has(line)) kept.set(line, new Uint8Array(bytes))
    if (kept.size === carried.size) break
  }
  return kept
}

/** Pieces that are written at once. */
class Gathered {
  private readonly parts: Uint8Array[] = []
  private length = 0

  add(part: Uint8Array): void {
    this.parts.push(part)
    this.length += part.length
  }

  bytes(): Uint8Array {
    const all = new Uint8Array(this.length)
    let at = 0
    for (const part of this.parts) {
      all.set(part, at)
      at += part.length
    }
    return all
  }
}
