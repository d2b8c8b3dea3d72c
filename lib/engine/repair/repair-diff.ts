import { emittedText } from '../../core/repair/edit-line'
import type { RepairPlan, RepairStep } from '../../core/repair/plan'
import { splitLines } from '../read/split-lines'
import type { Decode } from '../write/check-transcript'

/** One step of a repair with what was there and what will be, cut to a bounded length; null where nothing does. */
export type RepairDiffStep = Omit<RepairStep, 'emission' | 'part'> & {
  readonly before: string | null
  readonly after: string | null
}

/** Characters of a line that are shown. */
const SHOWN = 1200

/** The first steps of a plan with their texts, read from the file again. */
export async function repairDiff(
  chunks: AsyncIterable<Uint8Array>,
  plan: RepairPlan,
  decode: Decode,
  most: number,
): Promise<readonly RepairDiffStep[]> {
  const steps = plan.steps.slice(0, most)
  const wanted = new Set(steps.map(({ line }) => line))
  const texts = new Map<number, string>()
  for await (const lines of splitLines(chunks, Number.POSITIVE_INFINITY)) {
    for (const { line, bytes } of lines) if (wanted.has(line)) texts.set(line, decode(bytes))
    if (texts.size === wanted.size) break
  }
  return steps.map(({ emission, part, ...step }) => {
    const text = texts.get(step.line) ?? ''
    const before = step.kind === 'insert' ? null : text.slice(...(part ?? []))
    const after = emission === null ? null : emittedText(emission, text)
    return { ...step, ...cutBoth(before, after) }
  })
}

/** Both texts from a little before where they begin to differ, so that what changes is in sight. */
function cutBoth(before: string | null, after: string | null) {
  let from = 0
  if (before !== null && after !== null && before !== after) {
    const most = Math.min(before.length, after.length)
    while (from < most && before[from] === after[from]) from++
  }
  const start = from > SHOWN / 2 ? from - SHOWN / 4 : 0
  const cut = (text: string | null) =>
    text === null
      ? null
      : `${start > 0 ? '…' : ''}${text.slice(start, start + SHOWN)}${text.length > start + SHOWN ? '…' : ''}`
  return { before: cut(before), after: cut(after) }
}
