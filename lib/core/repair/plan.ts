import type { Draft, DraftEntry } from './draft'
import type { FindingClass } from './finding'
import type { JsonEdit } from './json-edit'
import { longestRun } from './longest-run'

/** Something to write: a line of the old file, whole or in part, with its changes, or an entry that was made. */
export type Emission =
  | {
      readonly kind: 'line'
      readonly line: number
      /** Characters of the line's text, from and up to; undefined: the whole line. */
      readonly part?: readonly [number, number]
      readonly edits: readonly JsonEdit[]
    }
  | { readonly kind: 'made'; readonly text: string; readonly edits: readonly JsonEdit[] }

/** What happens to one entry, for readers of the plan. Entries that stay as they are have no step. */
export type RepairStep = {
  readonly kind: 'change' | 'drop' | 'insert' | 'move'
  /** 1-based line of the old file; for `insert` the line of the call that it belongs to. */
  readonly line: number
  readonly entryId: string | null
  readonly role: string | null
  readonly reason: string
  /** What is dropped of a line of which something stays: characters, from and up to. */
  readonly part?: readonly [number, number]
  readonly emission: Emission | null
}

/** What a repair would do; plain data. Lines that it does not name stay as they are, to the byte. */
export type RepairPlan = {
  readonly steps: readonly RepairStep[]
  /** What is written in the place of a line of the old file. Line 0 means the beginning. */
  readonly lines: ReadonlyMap<number, readonly Emission[]>
  /** Lines that are written somewhere else than where they were. */
  readonly carried: ReadonlySet<number>
}

export const EMPTY_PLAN: RepairPlan = { steps: [], lines: new Map(), carried: new Set() }

/** A line without any entry that can be kept, or such a part of one. */
export type BadLine = {
  readonly line: number
  /** Characters of the line's text, from and up to; undefined: the whole line. */
  readonly part?: readonly [number, number]
  readonly found: FindingClass
  readonly reason: string
}

/** Tells what is to be written from the present state of the entries. `reasons` are what the passes said about them. */
export function repairPlan(
  draft: Draft,
  bad: readonly BadLine[],
  reasons: ReadonlyMap<DraftEntry, string>,
  endsWithoutNewline: number | null,
): RepairPlan {
  const entries = draft.number()
  const moved = movedOf(entries)
  const lines = new Map<number, Emission[]>()
  const carried = new Set<number>()
  const steps: RepairStep[] = []
  const step = (kind: RepairStep['kind'], entry: DraftEntry, fallback: string, emission: Emission | null) =>
    steps.push({
      kind,
      line: entry.line,
      entryId: entry.id,
      role: entry.role ?? null,
      reason: reasons.get(entry) ?? fallback,
      emission,
    })
  for (const { line, part, reason } of bad) {
    lines.set(line, [])
    const what = part === undefined ? {} : { part }
    steps.push({ kind: 'drop', line, entryId: null, role: null, reason, ...what, emission: null })
  }
  for (const entry of draft.removed) {
    if (entry.made !== null) continue
    lines.set(entry.line, [])
    step('drop', entry, 'dropped', null)
  }
  for (const entry of entries) {
    if (entry.made === null && (!entry.isLine || moved.has(entry))) lines.set(entry.line, [])
  }
  let anchor = 0
  for (const entry of entries) {
    const isMoved = moved.has(entry)
    const emission = emissionOf(entry)
    if (entry.made !== null) step('insert', entry, 'inserted', emission)
    else if (isMoved) step('move', entry, 'moved', emission)
    else if (emission.edits.length > 0 || !entry.isLine)
      step('change', entry, changeInWords(draft, entry), emission)
    if (entry.made !== null || isMoved) {
      if (isMoved) carried.add(entry.line)
      outputsAt(lines, anchor).push(emission)
      continue
    }
    anchor = entry.line
    if (!entry.isLine) outputsAt(lines, anchor).push(emission)
    else if (emission.edits.length > 0 || anchor === endsWithoutNewline) lines.set(anchor, [emission])
  }
  return { steps: steps.toSorted((a, b) => a.line - b.line), lines, carried }
}

/** What changes in an entry about which no pass said anything: its parent, or places that it names, or both. */
function changeInWords({ renewed }: Draft, entry: DraftEntry): string {
  const goesOn = `goes on from ${entry.parentId ?? 'the beginning'}`
  const words = renewed.get(entry)
  if (words === undefined) return goesOn
  return entry.hasNewParent ? `${goesOn}; ${words}` : words
}

function emissionOf(entry: DraftEntry): Emission {
  const edits = entry.changes()
  if (entry.made !== null) return { kind: 'made', text: entry.made, edits }
  const { line, part } = entry
  return { kind: 'line', line, ...(part === undefined ? {} : { part }), edits }
}

function outputsAt(lines: Map<number, Emission[]>, line: number): Emission[] {
  const there = lines.get(line)
  if (there !== undefined) return there
  const outputs: Emission[] = line === 0 ? [] : [{ kind: 'line', line, edits: [] }]
  lines.set(line, outputs)
  return outputs
}

/** Entries of the file that are elsewhere now: as few as tell the difference. */
function movedOf(entries: readonly DraftEntry[]): ReadonlySet<DraftEntry> {
  const old = entries.filter((entry) => entry.made === null)
  if (old.every((entry, i) => (old[i - 1]?.ordinal ?? -1) < entry.ordinal)) return new Set()
  const stays = longestRun(old.map(({ ordinal }) => ordinal))
  return new Set(old.filter((_, i) => !stays.has(i)))
}
