import { isBoundary } from '../transcript/context'
import type { RepairRules } from './content-flaws'
import type { DraftEntry } from './draft'

/** One tool call of an answer, and the result that it gets. */
export type CallSlot = {
  readonly id: string
  readonly name: string
  readonly by: DraftEntry
  result: DraftEntry | null
}

/** An answer that calls tools. */
export type ToolFrame = {
  readonly by: DraftEntry
  /** The turn failed or was stopped: it stays as it is, and gets no results (M14). */
  readonly failed: boolean
  readonly slots: readonly CallSlot[]
}

/** What comes of a result that does not simply answer a call of the answer before it. */
export type ResultVerdict =
  | { readonly kind: 'orphan' }
  | { readonly kind: 'duplicate'; readonly of: DraftEntry }
  | { readonly kind: 'unnamed'; readonly slot: CallSlot }

export type Pairing = {
  readonly frames: readonly ToolFrame[]
  readonly verdicts: ReadonlyMap<DraftEntry, ResultVerdict>
  /** Results of turns that failed. */
  readonly leftAlone: ReadonlySet<DraftEntry>
}

export function isToolResult(entry: DraftEntry): boolean {
  return entry.type === 'message' && entry.role === 'toolResult'
}

function isFailed(entry: DraftEntry): boolean {
  return entry.stopReason === 'error' || entry.stopReason === 'aborted'
}

/** Finds for every tool call on a path its result, by the rules of one generation of OpenClaw (openclaw.md §6.3). */
export function pairResults(path: readonly DraftEntry[], rules: RepairRules): Pairing {
  return new Pairer(rules).run(path)
}

class Pairer {
  private readonly frames: ToolFrame[] = []
  private readonly verdicts = new Map<DraftEntry, ResultVerdict>()
  private readonly leftAlone = new Set<DraftEntry>()
  /** Calls by id, in order: ids are used again by some providers. */
  private readonly slotsById = new Map<string, CallSlot[]>()
  private readonly strays: DraftEntry[] = []
  private readonly rules: RepairRules

  constructor(rules: RepairRules) {
    this.rules = rules
  }

  run(path: readonly DraftEntry[]): Pairing {
    let frame: ToolFrame | null = null
    for (const entry of path) {
      if (entry.type !== 'message') continue
      if (entry.role === 'assistant' && !entry.transcriptOnly) {
        if (entry.calls !== undefined) frame = this.open(entry)
        else if (this.rules === 'early') frame = null
      } else if (isToolResult(entry)) this.take(entry, frame)
    }
    for (const stray of this.strays) this.place(stray)
    return { frames: this.frames, verdicts: this.verdicts, leftAlone: this.leftAlone }
  }

  private open(by: DraftEntry): ToolFrame {
    const slots = (by.calls ?? []).map(({ id, name }): CallSlot => ({ id, name, by, result: null }))
    const frame = { by, failed: isFailed(by), slots }
    for (const slot of slots) {
      const same = this.slotsById.get(slot.id)
      if (same === undefined) this.slotsById.set(slot.id, [slot])
      else same.push(slot)
    }
    this.frames.push(frame)
    return frame
  }

  private take(result: DraftEntry, frame: ToolFrame | null): void {
    const id = result.resultFor
    if (id === undefined) {
      this.takeUnnamed(result, frame)
      return
    }
    const own = frame?.slots.filter((slot) => slot.id === id) ?? []
    if (own.length === 0) this.strays.push(result)
    else if (frame?.failed) this.leftAlone.add(result)
    else {
      const open = own.find((slot) => slot.result === null)
      if (open !== undefined) open.result = result
      else this.repeat(result, own)
    }
  }

  /** A second result: the first one counts, unless it only stood in for one. */
  private repeat(result: DraftEntry, slots: readonly CallSlot[]): void {
    const standIn = slots.find((slot) => slot.result?.synthetic && !result.synthetic)
    if (this.rules === 'late' && standIn?.result) {
      this.verdicts.set(standIn.result, { kind: 'duplicate', of: result })
      standIn.result = result
      return
    }
    const first = slots[0]?.result
    this.verdicts.set(result, first ? { kind: 'duplicate', of: first } : { kind: 'orphan' })
  }

  private takeUnnamed(result: DraftEntry, frame: ToolFrame | null): void {
    const [slot, ...others] = frame?.slots ?? []
    const fits =
      this.rules === 'late' &&
      frame?.failed === false &&
      slot !== undefined &&
      others.length === 0 &&
      slot.result === null &&
      (result.toolName === undefined || slot.name === result.toolName)
    if (!fits) {
      this.verdicts.set(result, { kind: 'orphan' })
      return
    }
    slot.result = result
    this.verdicts.set(result, { kind: 'unnamed', slot })
  }

  /** A result away from its call goes there when only one call can be meant. */
  private place(result: DraftEntry): void {
    const slots = this.slotsById.get(result.resultFor ?? '') ?? []
    const open = slots.filter((slot) => slot.result === null && !isFailed(slot.by))
    const [only] = open
    if (this.rules === 'late' && open.length === 1 && only !== undefined) only.result = result
    else if (slots.some((slot) => isFailed(slot.by))) this.leftAlone.add(result)
    else this.repeat(result, slots)
  }
}

/** Whether an entry parts a call from its results when it stands between them. */
export function isBetween(entry: DraftEntry, keptBoundary: (boundary: DraftEntry) => boolean): boolean {
  if (isBoundary(entry)) return !keptBoundary(entry)
  if (entry.type === 'custom_message') return true
  if (entry.type === 'branch_summary') return entry.blank !== true
  if (entry.type !== 'message') return false
  return entry.transcriptOnly !== true && entry.excluded !== true
}
