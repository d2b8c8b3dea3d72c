import type { EntryFact, EntryType, Role, ToolCallRef } from '../transcript/entry'
import type { Bytes } from '../units/units'
import type { FindingClass } from './finding'
import type { JsonEdit } from './json-edit'

/** Where an entry is in the file: a whole line, or some characters of one that several entries share. */
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
  /** Place among the entries of the file; -1 for those that are in none yet. */
  readonly ordinal: number
  readonly line: number
  readonly bytes: Bytes
  type: EntryType
  id: string | null = null
  parentId: string | null = null
  /** No `parentId` was written, which is not the same as null. */
  parentless = false
  /** It does not stay. */
  dropped = false
  /** The result was put there by an earlier repair, a runtime's or ours. */
  synthetic = false
  /** The time as it is written, of messages that call tools: a missing result gets it. */
  stamp: unknown = null
  role: Role | undefined
  calls: readonly ToolCallRef[] | undefined
  resultFor: string | undefined
  toolName: string | undefined
  provider: string | undefined
  api: string | undefined
  stopReason: string | undefined
  /** What few entries have. */
  private rare: Rare | null = null
  before: DraftEntry | null = null
  after: DraftEntry | null = null

  constructor(
    type: EntryType,
    source: DraftSource,
    place: { readonly bytes: Bytes; readonly ordinal: number },
    made: string | null = null,
  ) {
    this.type = type
    this.ordinal = place.ordinal
    this.line = source.line
    this.bytes = place.bytes
    if (source.part !== undefined) this.more.part = source.part
    if (made !== null) this.more.made = made
  }

  get offset(): number {
    return 0
  }

  get at(): number | null {
    return timeOf(this.stamp)
  }

  /** Place for what few entries have. */
  get more(): Rare {
    this.rare ??= {}
    return this.rare
  }

  get rawType(): string | undefined {
    return this.rare?.rawType
  }

  get side(): true | undefined {
    return this.rare?.side
  }

  get transcriptOnly(): true | undefined {
    return this.rare?.transcriptOnly
  }

  get excluded(): true | undefined {
    return this.rare?.excluded
  }

  get blank(): true | undefined {
    return this.rare?.blank
  }

  get firstKeptEntryId(): string | undefined {
    return this.rare?.firstKeptEntryId
  }

  get firstKeptIndex(): number | undefined {
    return this.rare?.firstKeptIndex
  }

  /** Version 1: the entry that `firstKeptIndex` means. */
  get kept(): DraftEntry | null {
    return this.rare?.kept ?? null
  }

  get targetId(): string | null | undefined {
    return this.rare?.targetId
  }

  get header(): { readonly version: number; readonly sessionId: string } | undefined {
    return this.rare?.header
  }

  /** JSON of an entry that is in no file yet. */
  get made(): string | null {
    return this.rare?.made ?? null
  }

  get part(): readonly [number, number] | undefined {
    return this.rare?.part
  }

  /** What is wrong with the content, and put right by edits. */
  get flaws(): readonly FindingClass[] {
    return this.rare?.flaws ?? []
  }

  /** It carries a compaction that its provider made. */
  get checkpointed(): boolean {
    return this.rare?.checkpointed ?? false
  }

  /** Why the compaction that its provider made cannot be used. */
  get unusable(): string | undefined {
    return this.rare?.unusable
  }

  /** Represents a whole line of the file, which may stay as it is. */
  get isLine(): boolean {
    return this.rare?.made === undefined && this.rare?.part === undefined
  }

  /** Whether it is to name another parent than the file says. */
  get hasNewParent(): boolean {
    const written = this.rare?.written
    if (written === undefined) return false
    return written.parentId !== this.parentId || written.parentless !== this.parentless
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

  edit(...edits: readonly JsonEdit[]): void {
    this.more.edits = [...(this.rare?.edits ?? []), ...edits]
  }

  /** All changes against what the file says. */
  changes(): readonly JsonEdit[] {
    if (this.rare === null) return []
    const changes = [...(this.rare.edits ?? [])]
    const { written } = this.rare
    if (written === undefined) return changes
    if (written.id !== this.id) changes.push({ set: ['id'], value: JSON.stringify(this.id) })
    if (this.hasNewParent) changes.push({ set: ['parentId'], value: JSON.stringify(this.parentId) })
    return changes
  }

  private remember(): void {
    this.more.written ??= { id: this.id, parentId: this.parentId, parentless: this.parentless }
  }
}

type Rare = {
  rawType?: string
  side?: true
  transcriptOnly?: true
  excluded?: true
  blank?: true
  firstKeptEntryId?: string
  firstKeptIndex?: number
  kept?: DraftEntry | null
  targetId?: string | null
  header?: { readonly version: number; readonly sessionId: string }
  made?: string
  part?: readonly [number, number]
  flaws?: readonly FindingClass[]
  checkpointed?: true
  unusable?: string
  edits?: readonly JsonEdit[]
  /** What the file says where it was changed. */
  written?: { readonly id: string | null; readonly parentId: string | null; readonly parentless: boolean }
}

/** The last time that a date can be made of. */
const MAX_TIME = 8.64e15

function timeOf(value: unknown): number | null {
  if (typeof value === 'number') return Math.abs(value) <= MAX_TIME ? value : null
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}

/** The entries of a transcript in order, while a repair is worked out. */
export class Draft {
  first: DraftEntry | null = null
  last: DraftEntry | null = null
  size = 0
  /** Parents of entries that are gone, by id: what named them goes on from there. */
  readonly gone = new Map<string, string | null>()
  /** Of entries that named a parent which is not there: its id. */
  readonly followed = new Map<DraftEntry, string>()
  /** Of entries that got a new id, as another has theirs: the old one. */
  readonly renamed = new Map<DraftEntry, string>()
  /** Places that were renewed in entries, where they keep from or lead to, in words. */
  readonly renewed = new Map<DraftEntry, string>()
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
