import type { PartGroup } from './region-fills'
import { windowGroups } from './window-groups'

/** Levels per window at which crossings are counted: every half per cent. */
export const LEVELS = 200

/** Bars of the histogram: one per cent each, and a last one for calls at or above the window. */
export const BARS = 101

/** What is kept of one session: how often its calls rose through each level, how far they got, where they were. */
export type SessionCrossings = {
  /** Window of its last call, in tokens. */
  readonly window: number
  /** By level, from 0 to LEVELS. */
  readonly crossings: Uint16Array
  /** Highest level reached. */
  readonly top: number
  readonly bars: Uint32Array
  readonly calls: number
  readonly unknownCalls: number
}

/** Sessions that have (about) one window together. */
type FillGroup = {
  /** Tokens. */
  readonly window: number
  /** false when windows of other sizes were gathered here. */
  readonly exact: boolean
  readonly sessions: number
  /** How often calls rose through each level, and how many sessions ever did. */
  readonly crossings: readonly number[]
  readonly crossedBy: readonly number[]
}

/**
 * Fills of every call of every session, in a size that does not grow with them: what a screen needs to redraw while a
 * threshold is dragged, without asking anybody.
 */
export type LineFills = {
  readonly sessions: number
  readonly calls: number
  /** Calls of unknown size; they are in no bar and cross nothing. */
  readonly unknownCalls: number
  readonly bars: readonly number[]
  readonly groups: readonly FillGroup[]
}

/** The same, and how much of their windows the parts took that regions are for. */
export type FillAggregate = LineFills & { readonly parts: readonly PartGroup[] }

export const NO_FILLS: FillAggregate = {
  sessions: 0,
  calls: 0,
  unknownCalls: 0,
  bars: [],
  groups: [],
  parts: [],
}

/**
 * Folds the calls of one session, in order. A level is crossed by a call at or above it after one below it; a session
 * starts below all. null when no call has a known size.
 */
export function sessionCrossings(
  totals: readonly (number | null)[],
  windows: readonly number[],
): SessionCrossings | null {
  // Marks where each rise begins and ends; summed up afterwards, so that a rise costs the same however high it is.
  const steps = new Int32Array(LEVELS + 2)
  const bars = new Uint32Array(BARS)
  let before = 0
  let top = 0
  let known = 0
  let window = 0
  for (let i = 0; i < totals.length; i++) {
    const total = totals[i]
    const size = windows[i] ?? 0
    if (total === null || total === undefined || size <= 0) continue
    known += 1
    window = size
    const level = Math.min(LEVELS, Math.floor((total * LEVELS) / size))
    const bar = Math.min(BARS - 1, Math.floor((total * 100) / size))
    bars[bar] = (bars[bar] ?? 0) + 1
    if (level > before) {
      steps[before + 1] = (steps[before + 1] ?? 0) + 1
      steps[level + 1] = (steps[level + 1] ?? 0) - 1
      if (level > top) top = level
    }
    before = level
  }
  if (known === 0) return null
  const crossings = new Uint16Array(LEVELS + 1)
  let sum = 0
  for (let level = 0; level <= LEVELS; level++) {
    sum += steps[level] ?? 0
    crossings[level] = Math.min(sum, 65_535)
  }
  return { window, crossings, top, bars, calls: totals.length, unknownCalls: totals.length - known }
}

/** Adds up sessions. */
export function aggregateFills(sessions: Iterable<SessionCrossings>): LineFills {
  const all = [...sessions]
  const groupOf = windowGroups(all)
  const bars = new Array<number>(BARS).fill(0)
  const groups = new Map<number, MutableGroup>()
  let calls = 0
  let unknownCalls = 0
  for (const session of all) {
    calls += session.calls
    unknownCalls += session.unknownCalls
    for (let i = 0; i < BARS; i++) bars[i] = (bars[i] ?? 0) + (session.bars[i] ?? 0)
    const { window, exact } = groupOf(session.window)
    addTo(groups, window, exact, session)
  }
  return {
    sessions: all.length,
    calls,
    unknownCalls,
    bars: all.length === 0 ? [] : bars,
    groups: [...groups.values()].map(({ top, ...group }) => ({ ...group, crossedBy: reachedBy(top) })),
  }
}

type MutableGroup = {
  window: number
  exact: boolean
  sessions: number
  crossings: number[]
  /** Sessions by the highest level they reached. */
  top: number[]
}

function addTo(
  groups: Map<number, MutableGroup>,
  window: number,
  exact: boolean,
  session: SessionCrossings,
): void {
  const zeros = () => new Array<number>(LEVELS + 1).fill(0)
  const group = groups.get(window) ?? { window, exact, sessions: 0, crossings: zeros(), top: zeros() }
  groups.set(window, group)
  group.exact &&= exact
  group.sessions += 1
  group.top[session.top] = (group.top[session.top] ?? 0) + 1
  for (let i = 0; i <= session.top; i++) {
    group.crossings[i] = (group.crossings[i] ?? 0) + (session.crossings[i] ?? 0)
  }
}

function reachedBy(top: readonly number[]): number[] {
  const reached = [...top]
  for (let level = LEVELS - 1; level >= 0; level--) {
    reached[level] = (reached[level] ?? 0) + (reached[level + 1] ?? 0)
  }
  return reached
}

/** How often a line would have been crossed, and by how many sessions. */
export type Crossed = {
  readonly sessions: number
  readonly of: number
  readonly times: number
  /** false when the line lies between two counted levels that differ, or windows were gathered. */
  readonly exact: boolean
}

/**
 * What a line means for the sessions of the aggregate.
 * @param shareOf the line's share of a window of so many tokens; null where it does not exist
 */
export function crossedAt(
  fills: LineFills,
  shareOf: (window: number) => number | null,
  sameEverywhere = false,
): Crossed {
  let sessions = 0
  let times = 0
  let exact = true
  for (const group of fills.groups) {
    const share = shareOf(group.window)
    if (share === null) continue
    const place = Math.min(LEVELS, Math.max(0, share * LEVELS))
    const level = Math.round(place)
    sessions += group.crossedBy[level] ?? 0
    times += group.crossings[level] ?? 0
    if (!sameEverywhere && !group.exact) exact = false
    if (Math.abs(place - level) > 1e-6) {
      const low = Math.floor(place)
      const differs =
        group.crossings[low] !== group.crossings[low + 1] || group.crossedBy[low] !== group.crossedBy[low + 1]
      if (differs) exact = false
    }
  }
  return { sessions, of: fills.sessions, times, exact }
}
