import type { Bytes, Milliseconds } from '../units/units'
import type { MaintenanceLimits } from './limits'
import { isProbe, type MaintenanceEntry, protectionOf, type SessionProtection } from './protection'
import { archivedAt, archivedName, kindOfFile, type StoreFile, sessionOf, transcriptOf } from './store-files'

/** What maintenance looks at: one index and the files in its folder. */
export type MaintainedStore = {
  readonly entries: readonly MaintenanceEntry[]
  readonly files: readonly StoreFile[]
  readonly indexBytes: Bytes
}

export type MaintenanceContext = {
  readonly limits: MaintenanceLimits
  /** Milliseconds since the epoch. */
  readonly now: Milliseconds
  /** Keys of sessions that a process works with; they stay, and it is said. */
  readonly active: ReadonlySet<string>
  /** Keys of sessions that were named, which must stay. */
  readonly named?: ReadonlySet<string>
}

/** Which limit a session or file went beyond. */
export type Rule = 'age' | 'cap' | 'probe' | 'retention' | 'orphan' | 'leftover' | 'rotation' | 'disk'

export type MaintenanceStep =
  | {
      readonly do: 'remove-entry'
      readonly key: string
      readonly sessionId: string | null
      readonly updatedAt: Milliseconds | null
      readonly rule: Rule
    }
  /** The transcript of a removed session stays under another name until its retention is over. */
  | {
      readonly do: 'archive'
      readonly file: string
      readonly to: string
      readonly bytes: Bytes
      readonly rule: Rule
    }
  | { readonly do: 'delete'; readonly file: string; readonly bytes: Bytes; readonly rule: Rule }
  | { readonly do: 'rotate'; readonly to: string; readonly bytes: Bytes }

/** A session that a limit would have removed, and that stays. */
export type Spared = {
  readonly key: string
  readonly rule: Rule
  readonly because: 'active' | 'named' | SessionProtection
}

export type MaintenancePlan = {
  readonly steps: readonly MaintenanceStep[]
  readonly spared: readonly Spared[]
  /** For the operator. */
  readonly warnings: readonly string[]
  readonly before: { readonly entries: number; readonly bytes: Bytes }
  /** Bytes that leave the folder count as freed, though their backups remain for a time. */
  readonly after: { readonly entries: number; readonly bytes: Bytes }
}

/** A half-written index is left by a crash when it is older than this. Milliseconds. */
const LEFTOVER_MS = 5 * 60_000

/**
 * Plans the maintenance of a store by its limits. The mode is not examined: whether a plan is applied is the
 * caller's choice. Limits go in the runtime's order: probes, age, cap, archives, orphans, rotation, disk.
 */
export function planMaintenance(state: MaintainedStore, context: MaintenanceContext): MaintenancePlan {
  return new Planning(state, context).plan()
}

type Removed = MaintenanceEntry & { readonly rule: Rule }

class Planning {
  private readonly state: MaintainedStore
  private readonly context: MaintenanceContext
  private readonly left: Map<string, MaintenanceEntry>
  private readonly files: Map<string, StoreFile>
  private readonly steps: MaintenanceStep[] = []
  private readonly spared = new Map<string, Spared>()
  /** Bytes of all files that are left, the index as it will be. */
  private total: number

  constructor(state: MaintainedStore, context: MaintenanceContext) {
    this.state = state
    this.context = context
    this.left = new Map(state.entries.map((entry) => [entry.key, entry]))
    this.files = new Map(state.files.map((file) => [file.name, file]))
    const others = state.files.filter(({ name }) => kindOfFile(name) !== 'index')
    this.total = others.reduce((sum, { size }) => sum + size, state.indexBytes)
  }

  plan(): MaintenancePlan {
    const before = { entries: this.left.size, bytes: this.total }
    this.archive([...this.pruneProbes(), ...this.pruneOld(), ...this.cap()])
    this.expireArchives()
    this.removeOrphans()
    this.rotate()
    this.keepWithinBudget()
    const after = { entries: this.left.size, bytes: this.total }
    const spared = [...this.spared.values()]
    const warnings = [...spared.flatMap(warningFor), ...this.lostIndex(), ...this.overBudget()]
    return { steps: this.steps, spared, warnings, before, after }
  }

  private pruneProbes(): Removed[] {
    const { probeAfterMs, maxEntries } = this.context.limits
    if (probeAfterMs === null || this.left.size <= maxEntries) return []
    return this.removeAll(
      this.olderThan(probeAfterMs).filter(({ key }) => isProbe(key)),
      'probe',
    )
  }

  private pruneOld(): Removed[] {
    return this.removeAll(this.olderThan(this.context.limits.pruneAfterMs), 'age')
  }

  /** Sessions that stay in any case count, too; so more of the others go. */
  private cap(): Removed[] {
    const tooMany = this.left.size - this.context.limits.maxEntries
    if (tooMany <= 0) return []
    const oldest = this.oldestFirst()
    const removable = oldest.filter((entry) => this.reasonToStay(entry) === null)
    const going = new Set(removable.slice(0, tooMany))
    // What is older than the last that goes would have gone, too, were it not for what it is.
    const last = removable[going.size - 1]
    for (const entry of oldest.slice(0, last === undefined ? tooMany : oldest.indexOf(last))) {
      if (!going.has(entry)) this.spare(entry, 'cap')
    }
    return this.removeAll([...going], 'cap')
  }

  private olderThan(ageMs: Milliseconds): MaintenanceEntry[] {
    const { now } = this.context
    // Without a time the age of a session is unknown.
    return this.oldestFirst().filter(({ updatedAt }) => updatedAt !== null && now - updatedAt > ageMs)
  }

  private oldestFirst(): MaintenanceEntry[] {
    const age = ({ updatedAt }: MaintenanceEntry) => updatedAt ?? Number.NEGATIVE_INFINITY
    // Of those of the same time, the runtimes keep the ones that are first.
    return [...this.left.values()].reverse().sort((a, b) => (age(a) === age(b) ? 0 : age(a) - age(b)))
  }

  private reasonToStay(entry: MaintenanceEntry): Spared['because'] | null {
    if (this.context.active.has(entry.key)) return 'active'
    return this.context.named?.has(entry.key) ? 'named' : protectionOf(entry)
  }

  private spare(entry: MaintenanceEntry, rule: Rule): void {
    const because = this.reasonToStay(entry)
    if (because !== null && !this.spared.has(entry.key))
      this.spared.set(entry.key, { key: entry.key, rule, because })
  }

  private removeAll(entries: readonly MaintenanceEntry[], rule: Rule): Removed[] {
    return entries.filter((entry) => this.remove(entry, rule)).map((entry) => ({ ...entry, rule }))
  }

  private remove(entry: MaintenanceEntry, rule: Rule): boolean {
    if (this.reasonToStay(entry) !== null) {
      this.spare(entry, rule)
      return false
    }
    const { key, sessionId, updatedAt } = entry
    this.left.delete(key)
    this.total -= entry.bytes
    this.steps.push({ do: 'remove-entry', key, sessionId, updatedAt, rule })
    return true
  }

  private archive(removed: readonly Removed[]): void {
    const isReferenced = this.references()
    for (const { transcript, rule } of removed) {
      if (transcript === null || isReferenced(transcript)) continue
      const file = this.files.get(transcript)
      if (file === undefined) continue
      const to = archivedName(transcript, 'deleted', this.context.now)
      this.steps.push({ do: 'archive', file: transcript, to, bytes: file.size, rule })
      this.files.delete(transcript)
      this.files.set(to, { ...file, name: to, mtimeMs: this.context.now })
      for (const trace of this.tracesOf(transcript)) this.delete(trace, 'orphan')
    }
  }

  private tracesOf(transcript: string): StoreFile[] {
    return this.ofKind('trace').filter(({ name }) => transcriptOf(name) === transcript)
  }

  private expireArchives(): void {
    const { deletedRetentionMs, resetRetentionMs } = this.context.limits
    this.expire('deleted', deletedRetentionMs)
    if (resetRetentionMs !== null) this.expire('reset', resetRetentionMs)
  }

  private expire(kind: 'deleted' | 'reset', retentionMs: Milliseconds): void {
    for (const file of this.ofKind(kind)) {
      const at = archivedAt(file.name) ?? file.mtimeMs
      if (this.context.now - at > retentionMs) this.delete(file, 'retention')
    }
  }

  private removeOrphans(): void {
    const isReferenced = this.references()
    const { now, limits } = this.context
    for (const file of this.ofKind('leftover'))
      if (now - file.mtimeMs > LEFTOVER_MS) this.delete(file, 'leftover')
    if (this.hasLostIndex()) return
    for (const file of [...this.ofKind('transcript'), ...this.ofKind('trace'), ...this.ofKind('backup')]) {
      if (!isReferenced(file.name) && now - file.mtimeMs > limits.pruneAfterMs) this.delete(file, 'orphan')
    }
  }

  /** An index without a session beside transcripts has probably been lost; nothing then tells what is an orphan. */
  private hasLostIndex(): boolean {
    return this.state.entries.length === 0 && this.ofKind('transcript').length > 0
  }

  private rotate(): void {
    const { rotateBytes, rotateKeep } = this.context.limits
    if (rotateBytes === null || this.state.indexBytes <= rotateBytes) return
    const to = `sessions.json.bak.${this.context.now}`
    this.steps.push({ do: 'rotate', to, bytes: this.state.indexBytes })
    this.files.set(to, { name: to, size: this.state.indexBytes, mtimeMs: this.context.now })
    this.total += this.state.indexBytes
    const newestFirst = this.ofKind('rotated').sort((a, b) => stampOf(b.name) - stampOf(a.name))
    for (const file of newestFirst.slice(rotateKeep)) this.delete(file, 'rotation')
  }

  private keepWithinBudget(): void {
    const { maxDiskBytes, highWaterBytes } = this.context.limits
    if (maxDiskBytes === null || highWaterBytes === null || this.total <= maxDiskBytes) return
    const isReferenced = this.references()
    const unreferenced = this.hasLostIndex()
      ? []
      : [...this.ofKind('backup'), ...this.ofKind('transcript')].filter(({ name }) => !isReferenced(name))
    const queue = [...this.ofKind('deleted'), ...this.ofKind('reset'), ...unreferenced]
    for (const file of queue.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (this.total <= highWaterBytes) return
      this.delete(file, 'disk')
    }
    for (const entry of this.oldestFirst()) {
      if (this.total <= highWaterBytes) return
      if (!this.remove(entry, 'disk') || entry.transcript === null) continue
      const file = this.files.get(entry.transcript)
      if (file === undefined || this.references()(file.name)) continue
      this.delete(file, 'disk')
      for (const trace of this.tracesOf(file.name)) this.delete(trace, 'disk')
    }
  }

  /** A file that this very plan made is not deleted but never made. */
  private delete(file: StoreFile, rule: Rule): void {
    this.files.delete(file.name)
    this.total -= file.size
    const made = this.steps.findIndex((step) => 'to' in step && step.to === file.name)
    const origin = this.steps[made]
    if (origin?.do === 'archive') {
      this.steps[made] = { do: 'delete', file: origin.file, bytes: file.size, rule }
    } else if (origin === undefined) {
      this.steps.push({ do: 'delete', file: file.name, bytes: file.size, rule })
    }
  }

  private ofKind(kind: ReturnType<typeof kindOfFile>): StoreFile[] {
    return [...this.files.values()].filter(({ name }) => kindOfFile(name) === kind)
  }

  /** Tells of a file's name whether an entry that is left refers to the session that the file belongs to. */
  private references(): (name: string) => boolean {
    const entries = [...this.left.values()]
    const transcripts = new Set(entries.flatMap(({ transcript }) => transcript ?? []))
    const sessions = new Set(entries.flatMap(({ refersTo }) => refersTo))
    return (name) => transcripts.has(transcriptOf(name) ?? name) || sessions.has(sessionOf(name) ?? name)
  }

  private lostIndex(): string[] {
    if (!this.hasLostIndex()) return []
    const count = this.ofKind('transcript').length
    return [
      `sessions.json names no session, but ${count} transcripts are beside it. They are left alone; restore the index from a copy if it was lost.`,
    ]
  }

  private overBudget(): string[] {
    const { maxDiskBytes, highWaterBytes } = this.context.limits
    if (maxDiskBytes === null || highWaterBytes === null) return []
    const wasOver =
      this.total > maxDiskBytes || this.steps.some((step) => 'rule' in step && step.rule === 'disk')
    if (!wasOver || this.total <= highWaterBytes) return []
    return [
      `${this.total} bytes remain, more than the ${highWaterBytes} that were the aim: what is left must stay.`,
    ]
  }
}

function stampOf(name: string): number {
  return Number(name.slice(name.lastIndexOf('.') + 1))
}

const LIMITS: { readonly [R in Rule]: string } = {
  age: 'by its age',
  cap: 'as there are more sessions than the cap allows',
  probe: 'as an old probe of a model',
  disk: 'to free disk space',
  retention: 'by its age',
  orphan: 'as nothing refers to it',
  leftover: 'as a leftover',
  rotation: 'as an old copy',
}

/** Protected sessions are many, and stay as always; an active or named one that stays against a limit is news. */
function warningFor({ key, rule, because }: Spared): string[] {
  if (because !== 'active' && because !== 'named') return []
  const why = because === 'active' ? 'is active and stays' : 'stays, as it was named'
  return [`${key} ${why}; it would have been removed ${LIMITS[rule]}.`]
}
