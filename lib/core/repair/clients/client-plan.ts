import type { BadLine, Emission, RepairPlan, RepairStep } from '../plan'
import type { ClientLine } from './client-line'

/**
 * What is to be written, from the present state of the lines. Lines keep their order; a made one is behind the line that
 * it follows in the list.
 * @param unended line that no newline ends, where one is to be put; null: none
 */
export function clientPlan(
  lines: readonly ClientLine[],
  bad: readonly BadLine[],
  unended: number | null,
): RepairPlan {
  const outputs = new Map<number, Emission[]>()
  const steps: RepairStep[] = []
  for (const { line, part, reason } of bad) {
    outputs.set(line, [])
    const place = part === undefined ? {} : { part }
    steps.push({ kind: 'drop', line, entryId: null, role: null, reason, ...place, emission: null })
  }
  for (const { line, part, dropped } of lines) if (part !== undefined || dropped) outputs.set(line, [])
  for (const one of lines) {
    const { line, part, made, dropped } = one
    if (dropped) {
      steps.push({ ...stepOf(one), kind: 'drop', ...(part && { part }), emission: null })
      continue
    }
    const edits = one.changes()
    const emission: Emission =
      made !== null
        ? { kind: 'made', text: made, edits: [] }
        : { kind: 'line', line, ...(part && { part }), edits }
    if (made !== null || part !== undefined || edits.length > 0)
      steps.push({ ...stepOf(one), kind: made === null ? 'change' : 'insert', emission })
    if (made !== null || part !== undefined) outputsAt(outputs, line).push(emission)
    else if (edits.length > 0 || line === unended) outputs.set(line, [emission])
  }
  return { steps: steps.toSorted((a, b) => a.line - b.line), lines: outputs, carried: new Set() }
}

function stepOf({ line, uuid, type, reasons }: ClientLine) {
  return { line, entryId: uuid, role: type, reason: reasons.at(-1) ?? 'goes on from another entry' }
}

function outputsAt(outputs: Map<number, Emission[]>, line: number): Emission[] {
  const there = outputs.get(line)
  if (there !== undefined) return there
  const own: Emission[] = [{ kind: 'line', line, edits: [] }]
  outputs.set(line, own)
  return own
}
