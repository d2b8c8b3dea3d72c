import type { BrokenTranscript, UnknownType, UnreadableLine } from '../../core/transcript/store-flaws'
import type { Bytes, Milliseconds } from '../../core/units/units'
import type { ArchiveView } from '../archive/archive-view'
import { type SessionNames, sessionTitle } from '../session/session-title'
import { visibleLine } from '../text/visible-text'

/** A place that was probed, as the page prints it. */
export type ProbeView = {
  readonly path: string
  readonly kind: string
  readonly found: boolean
  readonly why: string
  readonly problem: string | null
}

export type StoreView = {
  readonly id: string
  readonly kind: string
  readonly era: string
  readonly root: string
  readonly label: string
  readonly state: string
  readonly problem: string | null
  /** Why it could not be judged as a whole, or not all of it. */
  readonly findingsProblem: string | null
  readonly lastReadAt: Milliseconds | null
  readonly sessions: number
  readonly archived: number
  readonly gone: number
  readonly entries: number
  readonly bytes: Bytes
  readonly unreadable: number
  readonly unknownTypes: number
  /** Made by our own generator; nothing in it happened. */
  readonly demo: boolean
}

/** A line that could not be read, with the page that shows it. */
export type UnreadableView = {
  readonly sessionId: string
  readonly title: string
  readonly storeId: string
  readonly path: string
  readonly line: number
  readonly bytes: Bytes
  readonly reason: string
  readonly href: string
  /** Unreadable lines of this transcript that are not listed; reported at its last line that is. */
  readonly more: number
}

export type UnknownTypeView = {
  readonly storeId: string
  readonly type: string
  readonly count: number
  readonly href: string
  readonly line: number
}

export type BrokenView = {
  readonly id: string
  readonly title: string
  readonly storeId: string
  readonly path: string
  readonly problem: string
}

/** A transcript of which OpenClaw's move into its database would lose a part. Entries. */
export type LossView = {
  readonly id: string
  readonly title: string
  readonly path: string
  readonly entries: number
  readonly lost: number
  readonly lostAfterRepair: number
  readonly href: string
}

/** Everything on the Stores page; plain data. */
export type StoresView = {
  readonly stores: readonly StoreView[]
  readonly probes: readonly ProbeView[]
  readonly unreadable: readonly UnreadableView[]
  /** All unreadable lines there are; the list may be shorter. */
  readonly unreadableTotal: number
  readonly unknownTypes: readonly UnknownTypeView[]
  readonly broken: readonly BrokenView[]
  readonly losses: readonly LossView[]
  readonly archive: ArchiveView
  /** The demo store has been made. */
  readonly hasDemo: boolean
}

export type StoresFacts = {
  readonly stores: readonly Omit<StoreView, 'demo'>[]
  readonly probes: readonly {
    readonly path: string
    readonly kind: string
    readonly found: boolean
    readonly why: string
    readonly problem?: string
  }[]
  readonly unreadable: readonly (SessionNames & UnreadableLine & { readonly id: string })[]
  readonly unknownTypes: readonly UnknownType[]
  readonly broken: readonly (SessionNames & BrokenTranscript & { readonly id: string })[]
  readonly losses: readonly (SessionNames & {
    readonly id: string
    readonly path: string
    readonly entries: number
    readonly lost: number
    readonly lostAfterRepair: number
  })[]
  readonly archive: ArchiveView
  /** Folder that holds the demo's stores. */
  readonly demoFolder: string
}

/** Why a path was examined, in words. */
const PROBE_REASONS: { readonly [why: string]: string } = {
  known: 'a known place',
  configured: 'named in the settings file',
  environment: 'named in PLIMSOLL_STORES',
  argument: 'named on the command line',
}

/** The page of one entry of a transcript. */
function entryHref(sessionId: string, seq: number): string {
  return `/sessions/${sessionId}/transcript?entry=${seq}`
}

export function storesView(facts: StoresFacts): StoresView {
  const stores = facts.stores.map((store) => ({
    ...store,
    root: visibleLine(store.root),
    label: visibleLine(store.label),
    problem: store.problem === null ? null : visibleLine(store.problem),
    findingsProblem: store.findingsProblem === null ? null : visibleLine(store.findingsProblem),
    demo: isInside(store.root, facts.demoFolder),
  }))
  return {
    stores,
    probes: facts.probes.map((probe) => ({
      path: visibleLine(probe.path),
      kind: probe.kind,
      found: probe.found,
      why: isInside(probe.path, facts.demoFolder)
        ? 'the demo store'
        : (PROBE_REASONS[probe.why] ?? probe.why),
      problem: probe.problem === undefined ? null : visibleLine(probe.problem),
    })),
    unreadable: facts.unreadable.map((entry, index) => ({
      sessionId: entry.id,
      title: sessionTitle(entry),
      storeId: entry.storeId,
      path: visibleLine(entry.path),
      line: entry.line,
      bytes: entry.bytes,
      reason: visibleLine(entry.problem ?? 'no reason recorded'),
      href: entryHref(entry.id, entry.seq),
      more: unlisted(facts.unreadable, index),
    })),
    unreadableTotal: facts.stores.reduce((sum, store) => sum + store.unreadable, 0),
    unknownTypes: facts.unknownTypes.map(({ storeId, type, count, sample }) => ({
      storeId,
      type: visibleLine(type),
      count,
      line: sample.line,
      href: entryHref(sample.id, sample.seq),
    })),
    broken: facts.broken.map((session) => ({
      id: session.id,
      title: sessionTitle(session),
      storeId: session.storeId,
      path: visibleLine(session.path),
      problem: visibleLine(session.problem),
    })),
    losses: facts.losses.map((loss) => ({
      id: loss.id,
      title: sessionTitle(loss),
      path: visibleLine(loss.path),
      entries: loss.entries,
      lost: loss.lost,
      lostAfterRepair: loss.lostAfterRepair,
      href: `/sessions/${loss.id}/integrity`,
    })),
    archive: facts.archive,
    hasDemo: stores.some((store) => store.demo),
  }
}

/** How many lines of a transcript are not listed, at the last one that is; 0 elsewhere. */
function unlisted(all: StoresFacts['unreadable'], index: number): number {
  const entry = all[index]
  if (entry === undefined || all[index + 1]?.id === entry.id) return 0
  return entry.inTranscript - all.filter(({ id }) => id === entry.id).length
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}
