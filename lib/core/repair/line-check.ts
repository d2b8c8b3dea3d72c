import type { Bytes } from '../units/units'
import type { ClientForm } from './clients/client-findings'
import type { Finding, Note } from './finding'
import type { RepairPlan } from './plan'
import type { ProviderRefusal } from './provider-refusals'

/** One line of a file, blank ones left out. */
export type CheckLine = {
  /** From 1. */
  readonly line: number
  /** Without its newline. */
  readonly text: string
  readonly bytes: Bytes
  /** A newline follows. */
  readonly ended: boolean
  /** The text is only the beginning of a line that is too long to be examined. */
  readonly cut?: true
}

/** What a check comes to. */
export type RepairCheck = {
  /** Nothing is to be repaired. */
  readonly ok: boolean
  /** `headless`: nothing can be repaired, as no header says what the file is; `foreign`: another program's. */
  readonly kind: 'transcript' | 'empty' | 'headless' | 'foreign'
  /** Whose it is; left out: pi's or OpenClaw's. Of a foreign one: whose check could look at it. */
  readonly form?: ClientForm
  readonly findings: readonly Finding[]
  readonly notes: readonly Note[]
  readonly plan: RepairPlan
  /** Entries that are in the file, those of them that the repair drops, and those that will be there then. */
  readonly entries: { readonly before: number; readonly dropped: number; readonly after: number }
  /**
   * Entries before the first line that cannot be read: what OpenClaw's import into SQLite keeps
   * (lib/docs/openclaw.md#repair-of-files).
   */
  readonly importable: number
  /** What providers would refuse about the branch that the conversation goes on from, now and after the repair. */
  readonly refusals: {
    readonly before: readonly ProviderRefusal[]
    readonly after: readonly ProviderRefusal[]
  }
}

/** Looks for damage in a transcript, line by line in file order, and plans its repair. */
export interface LineCheck {
  add(line: CheckLine): void
  /**
   * Takes a line whose `text` is without its long texts. False, and nothing is taken, when the whole line is needed.
   */
  addSkeleton(line: CheckLine): boolean
  finish(): RepairCheck
}
