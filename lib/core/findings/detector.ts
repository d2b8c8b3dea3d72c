import type { Frame } from '../tokens/frame'
import type { EntryFact } from '../transcript/entry'
import type { FoldBoundary, SessionTotals } from '../transcript/fold/fold-step'
import type { TextMarks } from '../transcript/marks/text-marks'
import type { Sender } from '../transcript/send-rules'
import type { IndexEntry } from '../transcript/session-index'
import type { Milliseconds, Tokens } from '../units/units'
import type { CallSign, EntrySign } from './entry-signs'
import type { Confidence, Evidence, FindingCost, FindingRemedy, Severity } from './finding'
import type { SettledCall } from './settled-call'

/** What a session is judged by at its end, besides what was gathered of its entries. */
export type ExaminedSession = {
  readonly transcriptId: string
  readonly storeId: string
  readonly runtime: Sender
  readonly sessionId: string
  readonly key: string | null
  readonly agent: string | null
  /** live | reset | deleted … : only a live one goes on. */
  readonly state: string
  /** What the runtime's index says of it. */
  readonly index: IndexEntry | null
  readonly totals: SessionTotals
  /** The present moment; null: it does not matter, as what is found is kept. */
  readonly now: Milliseconds | null
  /** The call that would be made now: worked out when it is asked for, as few sessions are judged by it. */
  readonly next: () => Frame
  /** Where the runtime compacts in the window of a call, in tokens; null: it does not, or that is unknown. */
  readonly lineOf: (call: Pick<Frame, 'provider' | 'model' | 'window' | 'at'>) => Tokens | null
}

/** What a detector answers; the rest of a finding is the same for all (`make-finding.ts`). */
export type FoundSign = {
  /** Tells findings of one kind in one session apart, and stays the same over runs; '' where there is one at most. */
  readonly subject: string
  /** What findings of one cause share over sessions, besides their kind. */
  readonly cause: string
  readonly severity: Severity
  readonly confidence: Confidence
  readonly evidence: Evidence
  readonly cost: FindingCost
  readonly firstSeen: Milliseconds | null
  readonly lastSeen: Milliseconds | null
  /** Where it is about one model of several. */
  readonly provider?: string | null
  readonly model?: string | null
  readonly sentence: string
  readonly remedies: readonly FindingRemedy[]
}

/**
 * Looks for one kind of finding. It takes a session entry by entry, in file order, and keeps what it needs in `State`:
 * plain JSON of bounded size, which it changes in place and which is stored with the session, so that an appended line
 * costs no more than itself. It never reads a text.
 */
export type Detector<State> = {
  readonly kind: string
  /** A few words. */
  readonly title: string
  /** What it is and why it matters: one or two sentences. */
  readonly about: string
  /** From when on it is found, with its thresholds. */
  readonly signs: string
  readonly start: () => State
  /** The entries that `entry` is for; left out: all. */
  readonly sees?: readonly EntrySign[]
  /** Each of these, with the fingerprints of its texts, before the call that it may be the answer of is settled. */
  readonly entry?: (state: State, entry: EntryFact, marks: TextMarks | undefined) => void
  /** The calls that `call` is for; left out: all. */
  readonly seesCalls?: readonly CallSign[]
  readonly call?: (state: State, call: SettledCall) => void
  /** What of a state `call` changes in place; it sets all else anew. */
  readonly callChanges?: readonly (keyof State & string)[]
  /** While `rests` says so, only what has one of these signs can change the state. */
  readonly wakes?: readonly (EntrySign | CallSign | 'boundary')[]
  readonly rests?: (state: State) => boolean
  /** A compaction or reset, after the last call before it is settled. */
  readonly boundary?: (
    state: State,
    boundary: FoldBoundary,
    entry: EntryFact,
    marks: TextMarks | undefined,
  ) => void
  /** What was found so far. Changes nothing. */
  readonly find: (state: State, session: ExaminedSession) => readonly FoundSign[]
}

/**
 * A detector without the type of its state, as the table holds it. Its functions are the same for all sessions, and the
 * state of a session is handed to them: functions that are made anew for each session are never compiled well.
 */
export interface AnyDetector
  extends Pick<Detector<object>, 'kind' | 'title' | 'about' | 'signs' | 'sees' | 'seesCalls' | 'wakes'> {
  readonly callChanges?: readonly string[]
  start(): object
  rests?(state: object): boolean
  entry?(state: object, entry: EntryFact, marks: TextMarks | undefined): void
  call?(state: object, call: SettledCall): void
  boundary?(state: object, boundary: FoldBoundary, entry: EntryFact, marks: TextMarks | undefined): void
  find(state: object, session: ExaminedSession): readonly FoundSign[]
}

/** Hides the type of the state: only states that `start` of this very detector began are handed to it. */
export function detector<State extends object>(of: Detector<State>): AnyDetector {
  return of
}
