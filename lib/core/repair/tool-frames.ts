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
  /** Its place on the path. */
  readonly at: number
  /** The turn failed or was stopped: it stays as it is, and gets no results. */
  readonly failed: boolean
  readonly slots: readonly CallSlot[]
}

/** What comes of a result that does not simply answer a call of the answer before it. */
type ResultVerdict =
  | { readonly kind: 'orphan' }
  | { readonly kind: 'duplicate'; readonly of: DraftEntry }
  | { readonly kind: 'unnamed'; readonly slot: CallSlot }

export type Pairing = {
  readonly frames: readonly ToolFrame[]
  readonly verdicts: ReadonlyMap<DraftEntry, ResultVerdict>
}

export function isToolResult(entry: DraftEntry): boolean {
  return entry.type === 'message' && entry.role === 'toolResult'
}

/** Whether a turn failed or was stopped. */
export function isFailed(entry: DraftEntry): boolean {
  return entry.stopReason === 'error' || entry.stopReason === 'aborted'
}

/**
 * Finds for every tool call on a path its result, by the rules of one generation of OpenClaw
 * (lib/docs/openclaw.md#calls-and-results).
 */
export function pairResults(path: readonly DraftEntry[], rules: RepairRules): Pairing {
  return new Pairer(rules).run(path)
}

class Pairer {
  private readonly frames: ToolFrame[] = []
  private readonly verdicts = new Map<DraftEntry, ResultVerdict>()
  private readonly strays: DraftEntry[] = []
  private readonly rules: RepairRules

  constructor(rules: RepairRules) {
    this.rules = rules
  }

  run(path: readonly DraftEntry[]): Pairing {
    let frame: ToolFrame | null = null
    for (const [at, entry] of path.entries()) {
      // A failed turn that was summarised does not hold its results any more.
      if (frame?.failed && isBoundary(entry)) frame = null
      if (entry.type !== 'message') continue
      if (entry.role === 'assistant' && !entry.transcriptOnly) {
        if (entry.calls !== undefined) frame = this.open(entry, at)
        else if (this.rules === 'early') frame = null
      } else if (isToolResult(entry)) this.take(entry, frame)
    }
    if (this.strays.length > 0) {
      const slots = this.slotsById()
      for (const stray of this.strays) this.place(stray, slots.get(stray.resultFor ?? '') ?? [])
    }
    return { frames: this.frames, verdicts: this.verdicts }
  }

  private open(by: DraftEntry, at: number): ToolFrame {
    const slots = (by.calls ?? []).map(({ id, name }): CallSlot => ({ id, name, by, result: null }))
    const frame = { by, at, failed: isFailed(by), slots }
    this.frames.push(frame)
    return frame
  }

  /** Calls by id, in order: some providers use ids again. */
  private slotsById(): ReadonlyMap<string, readonly CallSlot[]> {
    const byId = new Map<string, CallSlot[]>()
    for (const slot of this.frames.flatMap(({ slots }) => slots)) {
      const same = byId.get(slot.id)
      if (same === undefined) byId.set(slot.id, [slot])
      else same.push(slot)
    }
    return byId
  }

  private take(result: DraftEntry, frame: ToolFrame | null): void {
    const id = result.resultFor
    if (id === undefined) {
      this.takeUnnamed(result, frame)
      return
    }
    const own = frame?.slots.filter((slot) => slot.id === id) ?? []
    if (own.length === 0) this.strays.push(result)
    else {
      const open = own.find((slot) => slot.result === null)
      if (open !== undefined) open.result = result
      // What a failed turn did get stays with it.
      else if (!frame?.failed) this.repeat(result, own)
    }
  }

  /** A second result: the first one counts, unless it is only a placeholder. */
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
  private place(result: DraftEntry, slots: readonly CallSlot[]): void {
    const open = slots.filter((slot) => slot.result === null && !isFailed(slot.by))
    const [only] = open
    if (this.rules === 'late' && open.length === 1 && only !== undefined) only.result = result
    else this.repeat(result, slots)
  }
}

/** Whether an entry parts a call from its results when it is between them. */
export function isBetween(entry: DraftEntry, keptBoundary: (boundary: DraftEntry) => boolean): boolean {
  if (isBoundary(entry)) return !keptBoundary(entry)
  if (entry.type === 'custom_message') return true
  if (entry.type === 'branch_summary') return entry.blank !== true
  if (entry.type !== 'message') return false
  return entry.transcriptOnly !== true && entry.excluded !== true
}
