import type { Policy } from '../policy/policy'
import { turnStartOf } from './cut-point'
import { hasMessages, type NothingToCompact, prepareCompaction } from './prepare'
import { verbatimStart } from './rolling'
import type { SizedEntry } from './sized-entry'

/** Where a policy cuts a path, and which rule keeps what. Indices into the path. */
export type ChosenCut = {
  /** First entry of the part that is compacted. */
  readonly from: number
  readonly firstKept: number
  /** Beginning of the turn that the cut goes through. */
  readonly turnStart: number | null
  readonly previous: number | null
  /** Entries from here on stay because of their size, and because of their turns. */
  readonly tailStart: number
  readonly turnsStart: number | null
  /** The cut went back so that no result stays without its call. */
  readonly movedForPairing: boolean
}

export type CutChoice =
  | { readonly kind: 'cut'; readonly cut: ChosenCut }
  | { readonly kind: 'nothing'; readonly why: NothingToCompact | 'kept-by-policy' }

export type CutOptions = {
  readonly policy: Policy
  /** See `prepareCompaction`. */
  readonly keptBy: (boundary: number) => number
  /** Most tokens, as the runtime sizes them, that may stay word for word. */
  readonly room: number
  /** Asked for by hand: OpenClaw 2026.9 then keeps no tail rather than doing nothing. */
  readonly manual: boolean
  /** What is known of the path already, where many cuts of it are asked for; else it is looked for. */
  readonly known?: KnownPath
}

/** What finding a cut goes through the whole path for. */
type KnownPath = {
  /** Index of the last compaction or reset; negative when there is none. */
  readonly boundary: number
  /** Whether no result from here on answers a call before; false where that is not known. */
  readonly isPaired: (index: number) => boolean
}

/**
 * Finds the cut of a policy: the runtimes' own, moved back to the oldest turn that a rolling summary keeps word for
 * word when that is switched on, forward again while what stays does not fit (oldest protected turn first, never the
 * newest message of the user), and back over calls whose results stay.
 */
export function chooseCut(path: readonly SizedEntry[], options: CutOptions): CutChoice {
  const { policy, keptBy, manual, known } = options
  let prepared = prepareCompaction(path, policy.compaction.keepRecentTokens, keptBy, known?.boundary)
  // Where nothing but the tail is there; for another reason there is nothing without a tail either.
  if (prepared.kind === 'nothing' && manual) prepared = prepareCompaction(path, 0, keptBy, known?.boundary)
  if (prepared.kind === 'nothing') return prepared
  const { preparation } = prepared
  const from = preparation.summarise.from
  const tailStart = preparation.firstKept
  const turnsStart = policy.summary.rolling.enabled ? turnsFrom(path, from, policy) : null
  const firstKept = turnsStart === null ? tailStart : fitted(path, turnsStart, tailStart, options.room)
  const paired = known?.isPaired(firstKept) === true ? firstKept : pairedStart(path, from, firstKept)
  const turnStart =
    paired === tailStart ? (preparation.turnPrefix?.from ?? null) : turnStartOf(path, paired, from)
  if (!hasMessages(path, from, paired)) return { kind: 'nothing', why: 'kept-by-policy' }
  const cut = { from, firstKept: paired, turnStart, previous: preparation.previous, tailStart, turnsStart }
  return { kind: 'cut', cut: { ...cut, movedForPairing: paired !== firstKept } }
}

function turnsFrom(path: readonly SizedEntry[], from: number, policy: Policy): number {
  const isUserTurn = (i: number) => {
    const { type, role } = (path[from + i] as SizedEntry).fact
    return type === 'message' && role === 'user'
  }
  return from + verbatimStart(path.length - from, isUserTurn, policy.summary.rolling.windowTurns)
}

/**
 * The first of the protected turns from which on all fits; turns that do not fit give way, oldest first. The tail, where
 * none of them is before it.
 */
function fitted(path: readonly SizedEntry[], turnsStart: number, tailStart: number, room: number): number {
  let size = 0
  for (let i = turnsStart; i < path.length; i++) size += (path[i] as SizedEntry).size
  for (let at = turnsStart; at < tailStart; at++) {
    const { fact, size: own } = path[at] as SizedEntry
    if (size <= room && (at === turnsStart || (fact.type === 'message' && fact.role === 'user'))) return at
    size -= own
  }
  return tailStart
}

/** The cut, moved back to before every call that a result behind it answers. */
function pairedStart(path: readonly SizedEntry[], from: number, firstKept: number): number {
  let start = firstKept
  // What a move takes in may have calls further back: it is examined as well.
  for (let end = path.length; start < end; ) {
    const results = resultsIn(path, start, end)
    end = start
    // Few results stay, many calls do not: looking for those few is far quicker than remembering all calls. A call that
    // comes after its result, or stays already, is not what it answers.
    for (let i = end - 1; i >= from && results.size > 0; i--)
      for (const { id } of (path[i] as SizedEntry).fact.calls ?? []) {
        const result = results.get(id)
        if (result === undefined) continue
        results.delete(id)
        if (!answeredBefore(path, i, result, id)) start = i
      }
  }
  return start
}

/**
 * Where each call id is answered first, from `from` up to `to`; those whose call is there as well need no other.
 */
function resultsIn(path: readonly SizedEntry[], from: number, to: number): Map<string, number> {
  const results = new Map<string, number>()
  const called = new Set<string>()
  for (let i = from; i < to; i++) {
    const { calls, resultFor } = (path[i] as SizedEntry).fact
    if (calls !== undefined) for (const { id } of calls) called.add(id)
    if (resultFor !== undefined && !called.has(resultFor) && !results.has(resultFor))
      results.set(resultFor, i)
  }
  return results
}

/** Whether a call has a result before this one already, which is then a mere repetition. */
function answeredBefore(path: readonly SizedEntry[], call: number, result: number, id: string): boolean {
  for (let i = call + 1; i < result; i++) if ((path[i] as SizedEntry).fact.resultFor === id) return true
  return false
}
