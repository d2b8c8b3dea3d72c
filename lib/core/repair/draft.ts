import type { EntryFact, EntryType, Role, ToolCallRef } from '../transcript/entry'
import type { FindingClass } from './finding'
import type { JsonEdit } from './json-edit'

/** Where an entry stands in the file: a whole line, or some characters of one that several entries share. */
export type DraftSource = {
  readonly line: number
  /** Characters of the line's text, from and up to. */
  readonly part?: readonly [number, number]
}

/**
 * One entry while a repair is worked out. It begins as what a line says and is changed until nothing is wrong any more;
 * `written` remembers what the file says, so that the difference is the change to be made. Fits wherever the facts of
 * an entry are wanted, without their content.
 */
export class DraftEntry implements EntryFact {
  /** Place in the order so far; renewed by `Draft.number`. */
  seq = 0
  /** Place among the entries of the file; -1 for those that stand in none yet. */
  readonly ordinal: number
  readonly line: number
  readonly offset = 0
  readonly bytes: number
  type: EntryType
  rawType?: string
  id: string | null = null
  parentId: string | null = null
  side?: true
  at: number | null = null
  role?: Role
  calls?: readonly ToolCallRef[]
  resultFor?: string
  toolName?: string
  provider?: string
  api?: string
  stopReason?: string
  transcriptOnly?: true
  excluded?: true
  blank?: true
  firstKeptEntryId?: string
  firstKeptIndex?: number
  targetId?: string | null
  header?: { readonly version: number; readonly sessionId: string }
  /** The result was put there by an earlier repair, a runtime's or ours. */
  synthetic = false
  /** No `parentId` was written, which is not the same as null. */
  parentless = false
  /** JSON of an entry that stands in no file yet. */
  readonly made: string | null
  readonly source: DraftSource
  /** Changes of the content, in the order in which they are made. */
  edits: JsonEdit[] | null = null
  /** Version 1: the entry that `firstKeptIndex` means. */
  kept: DraftEntry | null = null
  /** It does not stay. */
  dropped = false
  /** What is wrong with the content, and put right by `edits`. */
  flaws: FindingClass[] | null = null
  written: { id: string | null; parentId: string | null; parentless: boolean } | null = null
  before: DraftEntry | null = null
  after: DraftEntry | null = null

  constructor(
    type: EntryType,
    source: DraftSource,
    place: { bytes: number; ordinal: number },
    made: string | null = null,
  ) {
    this.type = type
    this.ordinal = place.ordinal
    this.source = source
    this.line = source.line
    this.bytes = place.bytes
    this.made = made
  }

  /** Stands for a whole line of the file, which may stay as it is. */
  get isLine(): boolean {
    return this.made === null && this.source.part === undefined
  }

  setId(id: string): void {
    this.remember()
    this.id = id
  }

  setParent(parentId: string | null): void {
    this.remember()
    this.parentId = parentId
    this.parentless = false
  }

  edit(edit: JsonEdit): void {
    this.edits = [...(this.edits ?? []), edit]
  }

  /** All changes against what the file says. */
  changes(): readonly JsonEdit[] {
    const changes = [...(this.edits ?? [])]
    const { written } = this
    if (written === null) return changes
    if (written.id !== this.id) changes.push({ set: ['id'], value: JSON.stringify(this.id) })
    if (written.parentId !== this.parentId || written.parentless !== this.parentless)
      changes.push({ set: ['parentId'], value: JSON.stringify(this.parentId) })
    return changes
  }

  private remember(): void {
    this.written ??= { id: this.id, parentId: this.parentId, parentless: this.parentless }
  }
}

/** The entries of a transcript in order, while a repair is worked out. */
export class Draft {
  first: DraftEntry | null = null
  last: DraftEntry | null = null
  size = 0
  /** Parents of entries that are gone, by id: what named them goes on from there. */
  readonly gone = new Map<string, string | null>()
  /** For entries that are gone, the one that came next. */
  readonly successors = new Map<string, string>()
  readonly removed: DraftEntry[] = []
  /** Grows with each change. */
  revision = 0

  append(entry: DraftEntry): void {
    this.insertAfter(this.last, entry)
  }

  /** In order; the entry at hand may be removed. */
  *[Symbol.iterator](): Iterator<DraftEntry> {
    for (let entry = this.first; entry !== null; ) {
      const next: DraftEntry | null = entry.after
      yield entry
      entry = next
    }
  }

  /** @param anchor null: at the beginning */
  insertAfter(anchor: DraftEntry | null, entry: DraftEntry): void {
    const next = anchor === null ? this.first : anchor.after
    entry.before = anchor
    entry.after = next
    if (anchor === null) this.first = entry
    else anchor.after = entry
    if (next === null) this.last = entry
    else next.before = entry
    this.size++
    this.revision++
  }

  remove(entry: DraftEntry): void {
    this.unlink(entry)
    this.forget(entry)
  }

  /** Notes an entry that goes, or never was in the order. */
  forget(entry: DraftEntry): void {
    entry.dropped = true
    this.removed.push(entry)
    if (entry.id !== null && !this.gone.has(entry.id)) this.gone.set(entry.id, entry.parentId)
    this.revision++
  }

  move(entry: DraftEntry, anchor: DraftEntry): void {
    if (entry === anchor || anchor.after === entry) return
    this.unlink(entry)
    this.insertAfter(anchor, entry)
  }

  toFront(entry: DraftEntry): void {
    this.unlink(entry)
    this.insertAfter(null, entry)
  }

  /** Puts the same entries into another order. */
  reorder(entries: readonly DraftEntry[]): void {
    this.first = null
    this.last = null
    this.size = 0
    for (const entry of entries) this.append(entry)
  }

  /** Numbers the entries from 0 and answers them. */
  number(): DraftEntry[] {
    const entries: DraftEntry[] = []
    for (let entry = this.first; entry !== null; entry = entry.after) {
      entry.seq = entries.length
      entries.push(entry)
    }
    return entries
  }

  private unlink({ before, after }: DraftEntry): void {
    if (before === null) this.first = after
    else before.after = after
    if (after === null) this.last = before
    else after.before = before
    this.size--
  }
}
