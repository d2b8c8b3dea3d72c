import { Branches, ROOT } from '../transcript/branches'
import { type JsonObject, parseObject } from '../transcript/json'
import type { RepairRules } from './content-flaws'
import { Draft, DraftEntry } from './draft'
import { FINDING_FACTS, type Finding, type FindingClass } from './finding'
import { type ForeignFormat, foreignFormat } from './foreign-format'
import type { TextSpan } from './json-scan'
import type { CheckLine, LineCheck, RepairCheck } from './line-check'
import type { Mending } from './mend'
import { mendIds } from './mend-ids'
import { mendOrder } from './mend-order'
import { mendPairs } from './mend-pairs'
import { mendParents } from './mend-parents'
import { mendReferences } from './mend-references'
import { Notes } from './notes'
import { type BadLine, EMPTY_PLAN, type RepairPlan, repairPlan } from './plan'
import { type ProviderRefusal, providerRefusals } from './provider-refusals'
import { readRepairDraft } from './read-draft'
import { renewPlaces } from './renew-places'
import { namesOfBadLine, type Salvaged, splitJoined, withoutStrayBytes } from './salvage'
import { dropStaleCheckpoints } from './stale-checkpoints'
import { tornClass } from './torn-class'

/** Each pass may bring to light what the one before hid; more rounds than this no transcript has needed. */
const MAX_ROUNDS = 16

/**
 * Looks for damage in a transcript, line by line in file order, and plans its repair. Holds ids, parents and names of
 * calls, no texts.
 */
export class TranscriptCheck implements LineCheck {
  private readonly draft = new Draft()
  private readonly bad: BadLine[] = []
  private readonly findings: Finding[] = []
  private readonly notes = new Notes()
  private readonly reasons = new Map<DraftEntry, string>()
  /** All entries in file order, kept or not: version 1 counts them. */
  private readonly entries: DraftEntry[] = []
  private readonly rules: RepairRules
  /** Nothing was seen so far that could make an oddity of the tree, other than ids that are used twice or missing. */
  private isPlain = true
  /** Messages that cannot stay. */
  private readonly unsendable = new Set<DraftEntry>()
  /** Entries that name the first one that they keep. */
  private readonly boundaries: DraftEntry[] = []
  private importable = 0
  private foreign: ForeignFormat | null = null
  private isSound = true
  private unended: number | null = null

  constructor(rules: RepairRules = 'late') {
    this.rules = rules
  }

  add(line: CheckLine): void {
    if (!line.ended) this.unended = line.line
    if (line.cut) {
      this.addLong(line)
      return
    }
    const value = parseObject(line.text)
    if (value === null) this.addBad(line)
    else this.addObject(line, value)
  }

  /**
   * Takes a line whose `text` is without its long texts: something that is not blank replaces each of them. False,
   * and nothing is taken, when the whole line is needed.
   */
  addSkeleton(line: CheckLine): boolean {
    const value = parseObject(line.text)
    if (value === null) return false
    if (!line.ended) this.unended = line.line
    this.addObject(line, value)
    return true
  }

  private addObject(line: CheckLine, value: JsonObject): void {
    const { text } = line
    if (this.entries.length === 0) this.foreign = foreignFormat(value)
    this.notes.ofLine(text, line.line)
    this.take(readRepairDraft(value, line, this.placeOf(line), this.rules, text.length), null)
  }

  finish(): RepairCheck {
    const before = this.entries.length
    if (before === 0 && this.bad.length === 0) return this.result('empty', EMPTY_PLAN, before, NO_REFUSALS)
    if (this.foreign !== null && !this.entries.some(isHeader)) return this.endForeign(this.foreign)
    if (!this.settleHeader()) return this.result('headless', EMPTY_PLAN, before, NO_REFUSALS)
    this.endOfFile()
    const linear = (this.draft.first?.header?.version ?? 1) < 2
    if (linear) this.forgetIds()
    const branches = Branches.of(this.draft.number())
    const refused = this.refusalsBefore(branches)
    this.resolveIndexes(linear)
    this.mend(linear, branches)
    if (this.findings.length === 0)
      return this.result('transcript', EMPTY_PLAN, before, { before: refused, after: refused })
    if (linear) renewPlaces(this.draft)
    for (const entry of dropStaleCheckpoints(this.draft)) {
      const before = this.reasons.get(entry)
      const fix = 'its provider’s checkpoint goes: it replaces the history as it was'
      this.reasons.set(entry, before === undefined ? fix : `${before}; ${fix}`)
    }
    const plan = repairPlan(this.draft, this.bad, this.reasons, this.unended)
    return this.result('transcript', plan, before, {
      before: refused,
      after: this.refusalsAfter(),
    })
  }

  private placeOf({ bytes }: CheckLine) {
    return { bytes, ordinal: this.entries.length }
  }

  private take(read: ReturnType<typeof readRepairDraft>, found: FindingClass | null): void {
    const { entry, dropped } = read
    const previous = this.entries.at(-1)
    // The same text, so that it is kept once.
    if (previous !== undefined && entry.parentId === previous.id) entry.parentId = previous.id
    this.entries.push(entry)
    if (entry.firstKeptEntryId !== undefined) this.boundaries.push(entry)
    if (found !== null) this.find(found, entry, 'the entry is set free')
    if (this.isSound && found === null && dropped !== 'not-an-entry') this.importable++
    else this.isSound = false
    if (dropped !== null || found !== null || !isPlain(entry, this.entries.length)) this.isPlain = false
    if (dropped === null) {
      this.draft.append(entry)
      for (const flaw of entry.flaws) this.find(flaw, entry, FLAW_FIXES[flaw] ?? 'put right')
    } else {
      this.draft.forget(entry)
      if (entry.type === 'message') this.unsendable.add(entry)
      if (entry.id !== null) this.draft.gone.set(entry.id, entry.parentId)
      this.find(dropped, entry, 'dropped; what followed it goes on from the entry before it')
    }
    this.notes.ofEntry(entry)
  }

  private addBad(line: CheckLine): void {
    this.isPlain = false
    const { text } = line
    const stripped = withoutStrayBytes(text)
    if (stripped !== null) {
      this.takePart(line, stripped, 'stray-bytes')
      return
    }
    const parts = splitJoined(text)
    for (const part of parts) {
      if (part.kind === 'entry') this.takePart(line, part, 'joined-lines')
      else this.addTorn(line, part)
    }
    if (parts.length === 0) this.addTorn(line, null)
  }

  private takePart(line: CheckLine, { from, to, value }: Salvaged, found: FindingClass): void {
    const source = { line: line.line, part: [from, to] } as const
    this.take(readRepairDraft(value, source, this.placeOf(line), this.rules, to - from), found)
  }

  /** What cannot be read: a line, or a part of one between entries that were saved. */
  private addTorn(line: CheckLine, part: TextSpan | null): void {
    this.isSound = false
    const text = part === null ? line.text : line.text.slice(part.from, part.to)
    const names = namesOfBadLine(text)
    if (names !== null && !this.draft.gone.has(names.id)) this.draft.gone.set(names.id, names.parentId)
    const found = tornClass(line, part)
    const reason =
      names === null ? DROPPED_TEXT : `${DROPPED_TEXT}; what followed it goes on from the entry before it`
    this.bad.push({
      line: line.line,
      ...(part === null ? {} : { part: [part.from, part.to] as const }),
      found,
      reason,
    })
    this.findings.push({
      class: found,
      line: line.line,
      entryId: names?.id ?? null,
      risk: FINDING_FACTS[found].risk,
      fix: reason,
    })
  }

  /** A line that is not read stays; its beginning tells where it belongs. */
  private addLong(line: CheckLine): void {
    const names = namesOfBadLine(line.text)
    const entry = new DraftEntry(
      names === null ? 'unreadable' : 'unknown',
      { line: line.line },
      this.placeOf(line),
    )
    entry.id = names?.id ?? null
    entry.parentId = names?.parentId ?? null
    this.isPlain = false
    this.entries.push(entry)
    this.draft.append(entry)
    this.notes.add('long-line', line.line, 'The line is too long to be looked at, and stays as it is.')
  }

  private settleHeader(): boolean {
    const header = this.entries.find((entry) => isHeader(entry) && !entry.dropped)
    const first = this.draft.first
    if (header === undefined) {
      const at = first ?? this.entries[0]
      this.findings.splice(0, this.findings.length, {
        class: 'bad-header',
        line: at?.line ?? this.bad[0]?.line ?? 1,
        entryId: null,
        risk: 'high',
        fix: null,
      })
      return false
    }
    for (const entry of this.draft) {
      if (entry.type !== 'session' || entry === header) continue
      this.find('second-header', entry, `dropped: line ${header.line} is the header`)
      this.draft.remove(entry)
    }
    if (this.draft.first === header) return true
    this.find('late-header', header, 'moved to the beginning, as it is')
    this.draft.toFront(header)
    return true
  }

  private endOfFile(): void {
    const last = this.entries.at(-1)
    if (last === undefined || last.line !== this.unended || last.dropped) return
    this.find('no-final-newline', last, 'a newline is put behind it')
  }

  private mend(linear: boolean, branches: Branches): void {
    const first = this.draft.revision
    const mending: Mending = {
      draft: this.draft,
      linear,
      made: new Map(),
      report: (found, entry, fix, about) => {
        this.draft.revision++
        this.find(found, entry, fix, about)
      },
    }
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const { revision } = this.draft
      if (!linear && !(round === 0 && this.isKnownSound(branches))) {
        const byId = mendIds(mending)
        mendParents(mending, byId)
        mendOrder(mending, byId)
        mendReferences(mending, byId)
      }
      if (linear) this.passOverDropped()
      mendPairs(mending, this.rules, this.draft.revision === first ? branches : null)
      if (this.draft.revision === revision) return
    }
  }

  /** Whether ids, parents, order and references are as they should be, as in nearly all transcripts. */
  private isKnownSound(branches: Branches): boolean {
    if (!this.isPlain || !branches.plain || branches.hasMissingParents) return false
    return this.boundaries.every((entry) => branches.namedByBoundary(entry) !== ROOT)
  }

  /** Version 1 has no ids and no jumps; whatever looks like one means nothing. */
  private forgetIds(): void {
    for (const entry of this.draft) {
      entry.id = null
      if (entry.type === 'leaf') entry.type = 'unknown'
    }
  }

  /** Version 1 names entries by their place; what is meant is decided before any entry goes. */
  private resolveIndexes(linear: boolean): void {
    if (!linear) return
    const readable = this.entries.filter(({ part }) => part === undefined)
    for (const entry of this.draft) {
      if (entry.firstKeptIndex !== undefined) entry.more.kept = readable[entry.firstKeptIndex] ?? null
    }
  }

  /** Where the entry to keep from is dropped, the next one takes its place; where none comes, nothing is kept. */
  private passOverDropped(): void {
    let heirs: readonly (DraftEntry | null)[] | null = null
    for (const entry of this.draft) {
      const { kept } = entry
      if (!kept?.dropped) continue
      heirs ??= this.heirs()
      entry.more.kept = heirs[kept.ordinal] ?? entry
    }
  }

  /**
   * The first entry that stays from each on; null: none. Found once, from the end: a walk for each compaction would take
   * the square of their number where all that they keep from goes.
   */
  private heirs(): (DraftEntry | null)[] {
    let heir: DraftEntry | null = null
    return this.entries
      .toReversed()
      .map((entry) => {
        if (!entry.dropped) heir = entry
        return heir
      })
      .reverse()
  }

  /** Messages that do not stay are still in the file, and would be sent. */
  private refusalsBefore(branches: Branches): readonly ProviderRefusal[] {
    if (this.unsendable.size === 0) return providerRefusals(branches)
    const kept = new Set<DraftEntry>(this.draft)
    const remaining = this.entries.filter((entry) => kept.has(entry) || this.unsendable.has(entry))
    remaining.forEach((entry, i) => {
      entry.seq = i
    })
    const refused = providerRefusals(Branches.of(remaining))
    this.draft.number()
    return refused
  }

  /** What is wrong with contents is put right then. */
  private refusalsAfter(): readonly ProviderRefusal[] {
    for (const entry of this.draft) if (entry.flaws.length > 0) entry.more.flaws = []
    return providerRefusals(Branches.of(this.draft.number()))
  }

  private endForeign({ name, form }: ForeignFormat): RepairCheck {
    this.findings.length = 0
    this.notes.clear()
    this.notes.add(
      'foreign-format',
      1,
      `This is a transcript of ${name}, which is not checked as one of pi or OpenClaw.`,
    )
    const result = this.result('foreign', EMPTY_PLAN, this.entries.length, NO_REFUSALS)
    return form === null ? result : { ...result, form }
  }

  private find(found: FindingClass, entry: DraftEntry, fix: string, about = entry): void {
    this.reasons.set(entry, fix)
    const { risk } = FINDING_FACTS[found]
    this.findings.push({ class: found, line: about.line, entryId: about.id, risk, fix })
  }

  private result(
    kind: RepairCheck['kind'],
    plan: RepairPlan,
    before: number,
    refusals: RepairCheck['refusals'],
  ): RepairCheck {
    if (kind === 'empty') this.notes.add('empty-file', 1, 'The file is empty: a session that has not begun.')
    return {
      ok: this.findings.length === 0,
      kind,
      findings: this.findings.toSorted((a, b) => a.line - b.line),
      notes: this.notes.list(),
      plan,
      entries:
        kind === 'transcript'
          ? { before, dropped: this.draft.removed.length, after: this.draft.size }
          : { before, dropped: 0, after: before },
      importable: this.importable,
      refusals,
    }
  }
}

const DROPPED_TEXT = 'dropped; the backup keeps it'

const NO_REFUSALS: RepairCheck['refusals'] = { before: [], after: [] }

const FLAW_FIXES: { readonly [C in FindingClass]?: string } = {
  'blank-user': 'its blank text goes; a message that is all blank says (continue)',
  'no-content': 'gets content',
  'broken-block': 'the block goes',
  'broken-image': 'a text replaces the image',
  'empty-error-turn': 'a text says that the turn failed',
  'incomplete-call': 'the call goes',
}

/** Whether an entry says of itself where it belongs. */
function isPlain({ type, id, parentId, parentless }: DraftEntry, place: number): boolean {
  if (type === 'session') return place === 1
  return id !== null && !parentless && parentId !== id && type !== 'leaf'
}

/** The header of a session that says whose it is. */
export function isHeader(entry: DraftEntry): boolean {
  return entry.header !== undefined && entry.header.sessionId !== ''
}
