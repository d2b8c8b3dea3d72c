import { append } from '../lists/long-lists'
import { Branches } from '../transcript/branches'
import type { RepairRules } from './content-flaws'
import type { DraftEntry } from './draft'
import type { Mending } from './mend'
import { retarget } from './mend-references'
import { makeMissingResult } from './synthetic-result'
import { type CallSlot, isBetween, pairResults, type ToolFrame } from './tool-frames'

/**
 * Pairs tool calls and results on the branch that the conversation goes on from: results without a call go, misplaced
 * ones move behind their call, calls without a result get one that says so. Other branches are not sent and stay as
 * they are.
 *
 * @param known the tree of the entries as they are now, where it is made already
 */
export function mendPairs(mending: Mending, rules: RepairRules, known: Branches | null): void {
  const branches = known ?? Branches.of(mending.draft.number())
  // The facts that the tree was made of are the entries themselves.
  const entries = branches.facts as DraftEntry[]
  const path = branches.path(branches.leaf).map((seq) => entries[seq] as DraftEntry)
  const pass = new PairPass(mending, path)
  if (!pass.mend(rules)) return
  pass.attach(entries)
}

class PairPass {
  private readonly mending: Mending
  private readonly before: readonly DraftEntry[]
  private readonly parents = new Map<DraftEntry, DraftEntry | null>()
  private readonly path: DraftEntry[]
  private readonly moved = new Set<DraftEntry>()
  private readonly dropped = new Set<DraftEntry>()
  /** Ids that are given away, once any is needed. */
  private taken: Set<string> | null = null

  constructor(mending: Mending, path: readonly DraftEntry[]) {
    this.mending = mending
    this.before = path
    this.path = [...path]
  }

  /** Whether anything was changed. */
  mend(rules: RepairRules): boolean {
    const { draft, report } = this.mending
    const revision = draft.revision
    const pairing = pairResults(this.path, rules)
    for (const [result, verdict] of pairing.verdicts) {
      if (verdict.kind === 'unnamed') this.name(result, verdict.slot)
      else {
        const fix =
          verdict.kind === 'orphan'
            ? 'dropped: no tool call waits for it'
            : `dropped: line ${verdict.of.line} answers the same call`
        report(verdict.kind === 'orphan' ? 'orphan-result' : 'duplicate-result', result, fix)
        this.dropped.add(result)
        draft.remove(result)
      }
    }
    const inserted = new Map<DraftEntry, readonly DraftEntry[]>()
    for (const frame of pairing.frames) if (!frame.failed) this.mendFrame(frame, inserted)
    if (draft.revision !== revision) {
      const next = this.path
        .filter((entry) => !this.dropped.has(entry) && !this.moved.has(entry))
        .flatMap((entry) => [entry, ...(inserted.get(entry) ?? [])])
      this.path.length = 0
      append(this.path, next)
    }
    this.mendCut(pairing.frames)
    return draft.revision !== revision
  }

  /** Lets the last compaction keep from a call on, when it would keep the call's result without it. */
  private mendCut(frames: readonly ToolFrame[]): void {
    const end = this.path.findLastIndex(({ type }) => type === 'compaction' || type === 'reset')
    const boundary = this.path[end]
    // After a reset, runtimes leave such a result out themselves.
    if (boundary === undefined || boundary.type !== 'compaction') return
    const first = this.path.findIndex((entry) => isFirstKept(boundary, entry))
    const places = new Map(this.path.map((entry, i) => [entry, i]))
    const isKept = (result: DraftEntry | null, from: number) => {
      const place = result === null ? -1 : (places.get(result) ?? -1)
      return place >= from && place < end
    }
    let kept = first
    // Runtimes leave a failed turn and its results out together: a kept result alone would be an orphan as well.
    for (const { by, slots } of frames.toReversed()) {
      const at = places.get(by) ?? first
      if (at < kept && slots.some(({ result }) => isKept(result, kept))) kept = at
    }
    const call = this.path[kept]
    if (kept === first || call === undefined) return
    if (boundary.kept !== null) boundary.more.kept = call
    else if (call.id === null) return
    else {
      boundary.more.firstKeptEntryId = call.id
      boundary.edit({ set: ['firstKeptEntryId'], value: JSON.stringify(call.id) })
    }
    this.mending.report(
      'split-pair',
      boundary,
      `keeps from line ${call.line} on, whose call a kept result answers`,
    )
  }

  private name(result: DraftEntry, slot: CallSlot): void {
    this.mending.report('unnamed-result', result, 'gets the id of the only call that it can answer')
    result.resultFor = slot.id
    result.edit({ set: ['message', 'toolCallId'], value: JSON.stringify(slot.id) })
    result.edit({ set: ['message', 'isError'], value: 'true' })
  }

  /** Puts the results of one answer right behind it, and makes those that are missing. */
  private mendFrame(frame: ToolFrame, inserted: Map<DraftEntry, readonly DraftEntry[]>): void {
    if (this.isSound(frame)) return
    const { draft, report } = this.mending
    const own = new Set(frame.slots.flatMap(({ result }) => result ?? []))
    const { anchor, adjacent } = this.adjacentResults(frame, own)
    const late: DraftEntry[] = []
    let last = anchor
    for (const slot of frame.slots) {
      let { result } = slot
      if (result !== null && adjacent.has(result)) continue
      if (result === null) {
        result = this.missingResult(slot, last)
      } else {
        draft.move(result, last)
        draft.revision++
        this.moved.add(result)
        report('displaced-result', result, `moved behind line ${frame.by.line}, whose call it answers`)
      }
      late.push(result)
      last = result
    }
    if (late.length > 0) inserted.set(anchor, late)
  }

  /**
   * Puts in a result that says that it is missing. One that an earlier round made serves again, where the conversation
   * did not go on from it after all: a jump to an entry that went leads to its call.
   */
  private missingResult(slot: CallSlot, anchor: DraftEntry): DraftEntry {
    const { draft, report, linear, made } = this.mending
    const others = made.get(slot.by) ?? []
    const earlier = others.find((entry) => entry.resultFor === slot.id)
    if (earlier !== undefined) {
      draft.move(earlier, anchor)
      draft.revision++
      return earlier
    }
    this.taken ??= idsOf(draft)
    const result = makeMissingResult(this.taken, slot, linear)
    if (result.id !== null) this.taken.add(result.id)
    draft.insertAfter(anchor, result)
    made.set(slot.by, [...others, result])
    report('missing-result', result, 'a result is put in that says that it is missing', slot.by)
    return result
  }

  /** Whether all results are right behind the answer, nothing between; looked at first, as nearly all do. */
  private isSound({ at, slots }: ToolFrame): boolean {
    let left = slots.length
    for (let i = at + 1; left > 0; i++) {
      const entry = this.before[i]
      if (entry === undefined || !slots.some(({ result }) => result === entry)) return false
      left--
    }
    return true
  }

  /** The results that are right behind an answer, and the last of them (or the answer itself). */
  private adjacentResults(
    { by, at }: ToolFrame,
    own: ReadonlySet<DraftEntry>,
  ): { readonly anchor: DraftEntry; readonly adjacent: ReadonlySet<DraftEntry> } {
    const adjacent = new Set<DraftEntry>()
    let anchor = by
    for (let i = at + 1; i < this.before.length && adjacent.size < own.size; i++) {
      const entry = this.before[i]
      if (entry === undefined || this.dropped.has(entry)) continue
      if (own.has(entry)) {
        adjacent.add(entry)
        anchor = entry
      } else if (isBetween(entry, (boundary) => this.keeps(boundary, at))) break
    }
    return { anchor, adjacent }
  }

  /** Whether what a boundary keeps begins at or before a place on the path. */
  private keeps(boundary: DraftEntry, place: number): boolean {
    const kept = this.before.findIndex((entry) => isFirstKept(boundary, entry))
    return kept >= 0 && kept <= place
  }

  /** Gives each entry of the branch the parent that now is before it. */
  attach(all: readonly DraftEntry[]): void {
    if (this.mending.linear) return
    this.before.forEach((entry, i) => {
      this.parents.set(entry, this.before[i - 1] ?? null)
    })
    if (this.moved.size > 0) this.leaveBranches(all)
    const now = new Set(this.path)
    this.path.forEach((entry, i) => {
      const parent = this.path[i - 1] ?? null
      const was = this.parents.get(entry)
      if (was === parent) return
      entry.setParent(parent?.id ?? null)
    })
    if (all.some(({ type }) => type === 'leaf')) this.leadJumpsOn()
    const end = this.before.findLast((entry) => now.has(entry))
    const newEnd = this.path.at(-1)
    if (newEnd === undefined || this.before.at(-1) === newEnd) return
    const oldEnd = this.before.at(-1)
    // A jump to where the branch ended leads to where it ends now.
    for (const entry of all) {
      if (entry.type !== 'leaf' || entry.targetId === newEnd.id) continue
      if (entry.targetId === oldEnd?.id || entry.targetId === end?.id)
        retarget(this.mending.draft, entry, newEnd.id)
    }
  }

  /**
   * After a reset, what names a parent before it goes on from where the last jump led, whatever parent it names: such a
   * jump leads behind the results that were put between.
   */
  private leadJumpsOn(): void {
    const branches = Branches.of(this.mending.draft.number())
    const entries = branches.facts as DraftEntry[]
    for (const [i, entry] of this.path.entries()) {
      const parent = this.path[i - 1]
      const now = entries[branches.parentOf(entry.seq)]
      if (parent === undefined || now === undefined || now === parent) continue
      const jump = entries.findLast(
        ({ type, seq, targetId }) => type === 'leaf' && seq < entry.seq && targetId === now.id,
      )
      if (jump !== undefined && parent.seq < jump.seq) retarget(this.mending.draft, jump, parent.id)
    }
  }

  /** Other branches that went on from a moved result stay where they were. */
  private leaveBranches(all: readonly DraftEntry[]): void {
    const byId = new Map([...this.moved].map((entry) => [entry.id, entry]))
    const onPath = new Set(this.before)
    for (const entry of all) {
      const from = entry.parentId === null ? undefined : byId.get(entry.parentId)
      if (from === undefined || onPath.has(entry)) continue
      let parent: DraftEntry | null = this.parents.get(from) ?? null
      while (parent !== null && (this.moved.has(parent) || this.dropped.has(parent)))
        parent = this.parents.get(parent) ?? null
      entry.setParent(parent?.id ?? null)
    }
  }
}

function isFirstKept(boundary: DraftEntry, entry: DraftEntry): boolean {
  if (boundary.kept !== null) return boundary.kept === entry
  return boundary.firstKeptEntryId !== undefined && entry.id === boundary.firstKeptEntryId
}

function idsOf(draft: Mending['draft']): Set<string> {
  const ids = new Set<string>()
  for (const { id } of draft) if (id !== null) ids.add(id)
  return ids
}
