import { extraPrice } from '../tokens/cache-loss'
import type { Frame } from '../tokens/frame'
import type { OwnPrices } from '../tokens/own-prices'
import { costOf } from '../tokens/prices'
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
  /** States of the detectors by kind. */
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
    const states = Object.fromEntries(running.map(([kind, { state }]) => [kind, state]))
    return { version: SIGNS_VERSION, states, open, last, afterBoundary }
  }

  /**
   * Takes the next entry in file order, with what the session's fold made of it. Its marks are taken away: nothing else
   * needs them, and they would be held as long as it is.
   */
  push(entry: EntryFact, { fact, frame, boundary, amended }: FoldStep): void {
    const taken = fact ?? entry
    this.take(taken, { frame, boundary, amended })
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

  /** What was found so far, the worst first. Entries can be pushed on afterwards. */
  findings(session: ExaminedSession): SessionFinding[] {
    if (this.open !== null) {
      // Half the time of a structured clone.
      const saved: SignSnapshot = JSON.parse(JSON.stringify(this.snapshot()))
      const copy = SignFold.resume(this.prices, saved)
      copy?.settle()
      return copy?.findings(session) ?? []
    }
    return this.running
      .flatMap(([kind, { find }]) => find(session).map((sign) => makeFinding(kind, sign, session)))
      .sort(compareFindings)
  }

  private settle(): void {
    if (this.open === null) return
    const { frame, answer } = this.open
    const { last: before, afterBoundary } = this
    const { usage } = answer
    const settled: SettledCall = {
      frame,
      answer,
      ...this.promptPrice(frame, answer),
      anewUsd: (anew) => (usage == null ? null : extraPrice(usage, anew, frame, this.prices)),
      before,
      afterBoundary,
    }
    this.open = null
    this.last = frame
    this.afterBoundary = false
    for (const take of this.onCall) take(settled)
  }

  /** The prompt of a call alone. Recorded costs are of prompt and answer: what is left of them goes by list prices. */
  private promptPrice(
    { provider, model, at }: Frame,
    { usage }: EntryFact,
  ): Pick<SettledCall, 'promptUsd' | 'usdErrorPct'> {
    if (usage == null) return { promptUsd: null, usdErrorPct: 0 }
    const { listed } = costOf({ ...usage, output: 0, costUsd: null }, { provider, model, at }, this.prices)
    if (listed.value === null) return { promptUsd: null, usdErrorPct: 0 }
    return { promptUsd: listed.value, usdErrorPct: listed.basis === 'estimated' ? listed.errorPct : 0 }
  }
}
