import type { Frame } from '../tokens/frame'
import type { OwnPrices } from '../tokens/own-prices'
import type { EntryFact } from '../transcript/entry'
import type { FoldBoundary, FoldStep } from '../transcript/fold/fold-step'
import type { TextMarks } from '../transcript/marks/text-marks'
import type { ExaminedSession } from './detector'
import { DETECTORS } from './detectors'
import { BOUNDARY_BIT, callMaskOf, callSignsOf, maskOf, signsOf, wakeMaskOf } from './entry-signs'
import { compareFindings, type SessionFinding } from './finding'
import { makeFinding } from './make-finding'
import { SettledCall } from './settled-call'
import { isNewTally } from './tally'

/**
 * Number of the way in which signs are gathered. Raise it with every change of a detector's state or of what it takes
 * in: signs that were saved before are then gathered anew.
 */
const SIGNS_VERSION = 9

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

/** Each detector by its place in the table, with bits for what it takes. */
const TAKERS = DETECTORS.map(({ entry, call, boundary, sees, seesCalls, wakes = [], rests }, at) => ({
  ...{ at, entry, call, boundary, rests },
  takes:
    (entry === undefined ? 0 : maskOf(sees)) |
    (call === undefined ? 0 : callMaskOf(seesCalls)) |
    (boundary === undefined ? 0 : BOUNDARY_BIT),
  wakes: wakeMaskOf(wakes),
}))
const TAKEN = TAKERS.reduce((all, { takes }) => all | takes, 0)

/** Something that detectors take: an entry, or what it led to. */
type SignEvent = {
  /** What it is and has, see `entry-signs.ts`. */
  readonly signs: number
  readonly entry: EntryFact
  readonly marks: TextMarks | undefined
  readonly call: SettledCall | null
  readonly boundary: FoldBoundary | null
}

/**
 * So many events are gathered before detectors take them, one detector after the other. In turn with each entry they
 * take twice as long: the code of all of them does not stay in the processor's memory while lines are read.
 */
const BATCH = 256

/**
 * Runs every detector over a session while `SessionFold` reads it. The same entries give the same findings, whether they
 * come in one go or in pieces with snapshots between.
 */
export class SignFold {
  /** What each detector has gathered, in the order of the table. */
  private readonly states: readonly object[]
  /** What came since the detectors took something, in order, and the bits of all of it. */
  private events: SignEvent[] = []
  private signs = 0
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
    this.flush()
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
  push(entry: EntryFact, { fact: taken = entry, frame, boundary, amended }: FoldStep): void {
    const { marks } = taken
    if (marks !== undefined) {
      taken.marks = undefined
      entry.marks = undefined
    }
    if (frame !== undefined || boundary !== undefined) this.settle()
    this.note(signsOf(taken, marks), taken, marks, null, null)
    if (amended !== undefined && this.open?.frame.call === amended.frame.call)
      this.open = { frame: amended.frame, answer: amended.fact }
    if (frame !== undefined) this.open = { frame, answer: taken }
    if (boundary !== undefined) {
      // A provider compacts in the course of a call, which is over then.
      this.settle()
      this.afterBoundary = true
      this.note(BOUNDARY_BIT, taken, marks, null, boundary)
    }
    if (this.events.length >= BATCH) this.flush()
  }

  /**
   * What was found, the worst first. It is the end: the last call is settled with it.
   * @param goesOn more entries may come: the last call is settled in copies, and nothing is changed
   */
  end(session: ExaminedSession, goesOn = false): SessionFinding[] {
    this.flush()
    const { open } = this
    const states = [...this.states]
    if (open !== null) {
      const settled = this.settled(open)
      const signs = callSignsOf(open.frame, this.last)
      for (const taker of TAKERS) {
        const { at, call } = taker
        const state = this.stateOf(at)
        if (call === undefined || !isFor(taker, signs, state)) continue
        const changed = goesOn ? copyForCall(state, at) : state
        states[at] = changed
        call(changed, settled)
      }
      if (!goesOn) this.open = null
    }
    return DETECTORS.flatMap((one, i) =>
      one.find(states[i] ?? {}, session).map((sign) => makeFinding(one.kind, sign, session)),
    ).sort(compareFindings)
  }

  private stateOf(place: number): object {
    return this.states[place] ?? {}
  }

  private settle(): void {
    if (this.open === null) return
    const { frame, answer } = this.open
    const settled = this.settled(this.open)
    const signs = callSignsOf(frame, this.last)
    this.open = null
    this.last = frame
    this.afterBoundary = false
    this.note(signs, answer, undefined, settled, null)
  }

  private settled({ frame, answer }: OpenSign): SettledCall {
    return new SettledCall(frame, answer, this.last, this.afterBoundary, this.prices)
  }

  private note(
    signs: number,
    entry: EntryFact,
    marks: TextMarks | undefined,
    call: SettledCall | null,
    boundary: FoldBoundary | null,
  ): void {
    if ((signs & TAKEN) === 0) return
    this.signs |= signs
    this.events.push({ signs, entry, marks, call, boundary })
  }

  /** Each detector takes what came, in order. */
  private flush(): void {
    const { events, signs } = this
    if (events.length === 0) return
    this.events = []
    this.signs = 0
    for (const taker of TAKERS) {
      const state = this.stateOf(taker.at)
      if (isFor(taker, signs, state)) takeAll(taker, state, events)
    }
  }
}

/** Whether something with these signs may change the state of a detector. */
function isFor({ takes, wakes, rests }: (typeof TAKERS)[number], signs: number, state: object): boolean {
  if ((takes & signs) === 0) return false
  return (wakes & signs) !== 0 || rests === undefined || !rests(state)
}

function takeAll(
  { takes, entry, call, boundary }: (typeof TAKERS)[number],
  state: object,
  events: readonly SignEvent[],
): void {
  for (const event of events) {
    if ((event.signs & takes) === 0) continue
    if (event.call !== null) call?.(state, event.call)
    else if (event.boundary !== null) boundary?.(state, event.boundary, event.entry, event.marks)
    else entry?.(state, event.entry, event.marks)
  }
}

/** A state that a call may be handed to without a change of the one it is of. */
function copyForCall(state: object, place: number): object {
  const copy: { [name: string]: unknown } = { ...state }
  for (const name of DETECTORS[place]?.callChanges ?? []) copy[name] = copyOf(copy[name])
  return copy
}

/** A state is plain JSON. */
function copyOf<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return (typeof value[0] === 'object' ? value.map(copyOf) : value.slice()) as Value
  const copy: { [name: string]: unknown } = {}
  for (const name in value) copy[name] = copyOf(value[name])
  return copy as Value
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
