import { isOverflowError } from '../compaction/overflow-error'
import type { Frame } from '../tokens/frame'
import type { OwnPrices } from '../tokens/own-prices'
import { promptAtRates, ratesOfCall } from '../tokens/prices'
import type { EntryFact } from '../transcript/entry'
import type { FoldStep } from '../transcript/fold'
import type { ExaminedSession, SettledCall } from './detector'
import { DETECTORS } from './detectors'
import { maskOf, signsOf } from './entry-signs'
import { compareFindings, type SessionFinding } from './finding'
import { makeFinding } from './make-finding'
import { isNewTally } from './tally'

/**
 * Number of the way in which signs are gathered. Raise it with every change of a detector's state or of what it takes
 * in: signs that were saved before are then gathered anew.
 */
const SIGNS_VERSION = 4

/** A call of which more may become known. */
type OpenSign = { readonly frame: Frame; readonly answer: EntryFact }

/** All that is needed to go on with the next entry. Plain JSON of bounded size. */
export type SignSnapshot = {
  readonly version: number
  /** What detectors have gathered, by kind; none of those that have nothing. */
  readonly states: { readonly [kind: string]: object }
  readonly open: OpenSign | null
  readonly last: Frame | null
  readonly afterBoundary: boolean
}

/** States that nothing was noted in, by name of what they hold: what is equal to it need not be kept. */
const BEGUN = DETECTORS.map((one) => new Map<string, unknown>(Object.entries(one.start())))

/** Which detector takes what, by its place in the table. */
const ON_ENTRY = DETECTORS.flatMap(({ entry, sees }, at) =>
  entry === undefined ? [] : { at, take: entry, sees: maskOf(sees) },
)
const ON_CALL = DETECTORS.flatMap(({ call }, at) => (call === undefined ? [] : { at, take: call }))
const ON_BOUNDARY = DETECTORS.flatMap(({ boundary }, at) =>
  boundary === undefined ? [] : { at, take: boundary },
)

/**
 * Runs every detector over a session while `SessionFold` reads it. The same entries give the same findings, whether they
 * come in one go or in pieces with snapshots between.
 */
export class SignFold {
  /** What each detector has gathered, in the order of the table. */
  private readonly states: readonly object[]
  private open: OpenSign | null
  private last: Frame | null
  private afterBoundary: boolean

  private constructor(
    private readonly prices: OwnPrices,
    from: SignSnapshot | null,
  ) {
    // A saved state is one that this very version saved: `SIGNS_VERSION` is compared before.
    this.states = DETECTORS.map(({ kind, start }) => {
      const saved = from?.states[kind]
      return saved === undefined ? start() : Object.assign(start(), saved)
    })
    this.open = from?.open ?? null
    this.last = from?.last ?? null
    this.afterBoundary = from?.afterBoundary ?? false
  }

  static start(prices: OwnPrices): SignFold {
    return new SignFold(prices, null)
  }

  /** @returns null when the snapshot is of another version */
  static resume(prices: OwnPrices, snapshot: SignSnapshot): SignFold | null {
    return snapshot.version === SIGNS_VERSION ? new SignFold(prices, snapshot) : null
  }

  /**
   * As it is now. Its states go on changing: what is to be kept is written down at once.
   */
  snapshot(): SignSnapshot {
    const { open, last, afterBoundary } = this
    const states: { [kind: string]: object } = {}
    for (const [i, { kind }] of DETECTORS.entries()) {
      const changes = changesSince(BEGUN[i], this.stateOf(i))
      if (changes !== null) states[kind] = changes
    }
    return { version: SIGNS_VERSION, states, open, last, afterBoundary }
  }

  /**
   * Takes the next entry in file order, with what the session's fold made of it. Its marks are taken away: nothing else
   * needs them, and they would be held as long as it is.
   */
  push(entry: EntryFact, step: FoldStep): void {
    const taken = step.fact ?? entry
    this.take(taken, step)
    taken.marks = undefined
    entry.marks = undefined
  }

  private take(taken: EntryFact, { frame, boundary, amended }: Omit<FoldStep, 'fact'>): void {
    if (frame !== undefined || boundary !== undefined) this.settle()
    const signs = signsOf(taken)
    for (const { at, take, sees } of ON_ENTRY) if ((sees & signs) !== 0) take(this.stateOf(at), taken)
    if (amended !== undefined && this.open?.frame.call === amended.frame.call)
      this.open = { frame: amended.frame, answer: amended.fact }
    if (frame !== undefined) this.open = { frame, answer: taken }
    if (boundary === undefined) return
    // A provider compacts in the course of a call, which is over then.
    this.settle()
    this.afterBoundary = true
    for (const { at, take } of ON_BOUNDARY) take(this.stateOf(at), boundary, taken)
  }

  /**
   * What was found, the worst first. It is the end: the last call is settled with it. What may go on goes on from a
   * snapshot that was taken before.
   */
  end(session: ExaminedSession): SessionFinding[] {
    this.settle()
    return DETECTORS.flatMap((one, i) =>
      one.find(this.stateOf(i), session).map((sign) => makeFinding(one.kind, sign, session)),
    ).sort(compareFindings)
  }

  private stateOf(place: number): object {
    return this.states[place] ?? {}
  }

  private settle(): void {
    if (this.open === null) return
    const { frame, answer } = this.open
    const settled = this.settled(frame, answer)
    this.open = null
    this.last = frame
    this.afterBoundary = false
    for (const { at, take } of ON_CALL) take(this.stateOf(at), settled)
  }

  /** Recorded costs are of prompt and answer: the prompt alone goes by prices. */
  private settled(frame: Frame, answer: EntryFact): SettledCall {
    const { usage = null, errorMessage } = answer
    const found = usage === null ? null : ratesOfCall(frame, this.prices)
    return {
      frame,
      answer,
      rates: found?.rates ?? null,
      promptUsd: usage === null || found === null ? null : promptAtRates(usage, found.rates),
      usdErrorPct: found?.errorPct ?? 0,
      isOverflow: errorMessage !== undefined && isOverflowError(errorMessage),
      before: this.last,
      afterBoundary: this.afterBoundary,
    }
  }
}

/** What of a state is not as it began; null: nothing. Most detectors find nothing in most sessions. */
function changesSince(begun: ReadonlyMap<string, unknown> | undefined, state: object): object | null {
  let changes: { [name: string]: unknown } | null = null
  for (const [name, value] of Object.entries(state)) {
    if (isAsBegun(begun?.get(name), value)) continue
    changes ??= {}
    changes[name] = value
  }
  return changes
}

function isAsBegun(begun: unknown, value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0 && Array.isArray(begun) && begun.length === 0
  return begun === value || isNewTally(value)
}
