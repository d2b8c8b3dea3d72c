import { isOverflowError } from '../compaction/overflow-error'
import { coldAtRates, extraAtRates } from '../tokens/cache-loss'
import type { Frame } from '../tokens/frame'
import type { OwnPrices } from '../tokens/own-prices'
import { promptAtRates, ratesOfCall } from '../tokens/prices'
import type { EntryFact } from '../transcript/entry'
import type { FoldStep } from '../transcript/fold'
import type { ExaminedSession, RunningDetector, SettledCall } from './detector'
import { DETECTORS } from './detectors'
import { compareFindings, type SessionFinding } from './finding'
import { makeFinding } from './make-finding'

/**
 * Number of the way in which signs are gathered. Raise it with every change of a detector's state or of what it takes
 * in: signs that were saved before are then gathered anew.
 */
const SIGNS_VERSION = 3

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

/**
 * Runs every detector over a session while `SessionFold` reads it. The same entries give the same findings, whether they
 * come in one go or in pieces with snapshots between.
 */
export class SignFold {
  private readonly running: readonly (readonly [kind: string, RunningDetector])[]
  private readonly onEntry: readonly ((entry: EntryFact) => void)[]
  private readonly onCall: readonly ((call: SettledCall) => void)[]
  private readonly onBoundary: readonly NonNullable<RunningDetector['boundary']>[]
  private open: OpenSign | null
  private last: Frame | null
  private afterBoundary: boolean

  private constructor(
    private readonly prices: OwnPrices,
    from: SignSnapshot | null,
  ) {
    this.running = DETECTORS.map((one) => [one.kind, one.run(from?.states[one.kind])] as const)
    const all = this.running.map(([, detector]) => detector)
    this.onEntry = all.flatMap(({ entry }) => entry ?? [])
    this.onCall = all.flatMap(({ call }) => call ?? [])
    this.onBoundary = all.flatMap(({ boundary }) => boundary ?? [])
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
    const { running, open, last, afterBoundary } = this
    const states: { [kind: string]: object } = {}
    for (const [kind, { saved }] of running) {
      const state = saved()
      if (state !== null) states[kind] = state
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
    for (const take of this.onEntry) take(taken)
    if (amended !== undefined && this.open?.frame.call === amended.frame.call)
      this.open = { frame: amended.frame, answer: amended.fact }
    if (frame !== undefined) this.open = { frame, answer: taken }
    if (boundary === undefined) return
    // A provider compacts in the course of a call, which is over then.
    this.settle()
    this.afterBoundary = true
    for (const take of this.onBoundary) take(boundary, taken)
  }

  /**
   * What was found, the worst first. It is the end: the last call is settled with it. What may go on goes on from a
   * snapshot that was taken before.
   */
  end(session: ExaminedSession): SessionFinding[] {
    this.settle()
    return this.running
      .flatMap(([kind, { find }]) => find(session).map((sign) => makeFinding(kind, sign, session)))
      .sort(compareFindings)
  }

  private settle(): void {
    if (this.open === null) return
    const { frame, answer } = this.open
    const settled = this.settled(frame, answer)
    this.open = null
    this.last = frame
    this.afterBoundary = false
    for (const take of this.onCall) take(settled)
  }

  /** Recorded costs are of prompt and answer: the prompt alone goes by prices. */
  private settled(frame: Frame, answer: EntryFact): SettledCall {
    const { last: before, afterBoundary } = this
    const { usage = null, errorMessage } = answer
    const found = usage === null ? null : ratesOfCall(frame, this.prices)
    const isPriced = usage !== null && found !== null
    return {
      frame,
      answer,
      promptUsd: isPriced ? promptAtRates(usage, found.rates) : null,
      usdErrorPct: isPriced ? found.errorPct : 0,
      anewUsd: (anew) => (isPriced ? extraAtRates(usage, anew, found.rates) : null),
      coldUsd: () => (isPriced ? coldAtRates(usage, found.rates) : null),
      isOverflow: errorMessage !== undefined && isOverflowError(errorMessage),
      before,
      afterBoundary,
    }
  }
}
