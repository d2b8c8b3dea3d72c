import { Branches } from '../transcript/branches'
import { isBoundary } from '../transcript/context'
import { parseObject } from '../transcript/json'
import { isHeader } from './check'
import type { RepairRules } from './content-flaws'
import type { DraftEntry } from './draft'
import type { CheckLine, RepairCheck } from './line-check'
import { Notes } from './notes'
import { EMPTY_PLAN } from './plan'
import { providerRefusals } from './provider-refusals'
import { readRepairDraft } from './read-draft'
import { isFailed, isToolResult } from './tool-frames'

/**
 * Looks through a transcript that is plainly sound, as nearly all are: one chain of entries, each behind its parent,
 * each call answered at once. Holds only ids and what the last compaction keeps, which is what makes it fast; whatever
 * is not so plain is left to `TranscriptCheck`, whose answer is the same.
 */
export class SoundCheck {
  private readonly rules: RepairRules
  private readonly notes = new Notes()
  private readonly ids = new Set<string>()
  private header: DraftEntry | null = null
  private last: string | null = null
  private count = 0
  /** The entries that a context can be made of, in order. */
  private kept: DraftEntry[] = []
  /** Calls that wait for their results. */
  private open: string[] = []
  /** Calls of a turn that failed, whose results may come or not. */
  private failed: readonly string[] = []

  constructor(rules: RepairRules) {
    this.rules = rules
  }

  /** Takes the next line; `text` may be without its long texts. False: the whole check must decide about the file. */
  add(line: CheckLine): boolean {
    const { text } = line
    const value = line.ended ? parseObject(text) : null
    if (value === null) return false
    const place = { bytes: line.bytes, ordinal: this.count }
    const { entry, dropped } = readRepairDraft(value, line, place, this.rules, text.length)
    if (dropped !== null || entry.flaws.length > 0 || !this.follows(entry) || !this.pairs(entry)) return false
    this.notes.ofLine(text, line.line)
    this.notes.ofEntry(entry)
    this.count++
    return true
  }

  /** Null: the whole check must decide. */
  finish(): RepairCheck | null {
    if (this.header === null || this.open.length > 0) return null
    const entries = [this.header, ...this.kept]
    entries.forEach((entry, seq) => {
      entry.seq = seq
    })
    const refusals = providerRefusals(Branches.of(entries))
    return {
      ok: true,
      kind: 'transcript',
      findings: [],
      notes: this.notes.list(),
      plan: EMPTY_PLAN,
      entries: { before: this.count, dropped: 0, after: this.count },
      importable: this.count,
      refusals: { before: refusals, after: refusals },
    }
  }

  /** Whether an entry is behind its parent in one chain. */
  private follows(entry: DraftEntry): boolean {
    if (this.header === null) {
      this.header = entry
      // Version 1 has no ids.
      return isHeader(entry) && (entry.header?.version ?? 1) >= 2
    }
    const { type, id, parentId } = entry
    if (type === 'leaf' || type === 'reset' || entry.side || entry.parentless) return false
    // A second header has no id.
    if (id === null || parentId !== this.last) return false
    // The same text, so that it is kept once.
    entry.parentId = this.last
    this.last = id
    // Each has been added so far, and the header has none.
    return this.ids.add(id).size === this.count && this.keep(entry)
  }

  private keep(entry: DraftEntry): boolean {
    if (isBoundary(entry)) {
      const named = entry.firstKeptEntryId
      const first = named === undefined ? this.kept.length : this.kept.findIndex(({ id }) => id === named)
      if (first < 0) return false
      this.kept = this.kept.slice(first)
      const [beginning] = this.kept
      // Its call would not be kept.
      if (beginning !== undefined && isToolResult(beginning)) return false
    }
    this.kept.push(entry)
    return true
  }

  /** Whether the results of calls are right behind them, and no others. */
  private pairs(entry: DraftEntry): boolean {
    if (isToolResult(entry)) {
      const { resultFor } = entry
      if (resultFor === undefined) return false
      const at = this.open.indexOf(resultFor)
      if (at >= 0) this.open.splice(at, 1)
      return at >= 0 || this.failed.includes(resultFor)
    }
    if (this.open.length > 0) return false
    this.failed = []
    if (entry.calls === undefined || entry.transcriptOnly) return true
    const ids = entry.calls.map(({ id }) => id)
    if (isFailed(entry)) this.failed = ids
    else this.open = ids
    return true
  }
}
