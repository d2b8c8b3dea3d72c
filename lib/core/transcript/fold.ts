import type { Window } from '../budget/window'
import { windowFor } from '../budget/window'
import {
  type Anchor,
  buildFrame,
  type FrameSetup,
  growthSince,
  type PromptState,
  predictTotal,
  settleOverhead,
} from '../tokens/build-frame'
import { type Calibration, learn, startCalibration } from '../tokens/calibration'
import { addToSums, EMPTY_SUMS } from '../tokens/context-sums'
import { type Figure, UNKNOWN } from '../tokens/figure'
import { fixedTotals } from '../tokens/fixed'
import type { Frame } from '../tokens/frame'
import { promptTokens, reportedPrompt } from '../tokens/usage'
import { Branches, ROOT } from './branches'
import type { CompactionRecord } from './compaction-record'
import {
  type ContextEntry,
  contextAt,
  contextStep,
  entersContext,
  isBoundary,
  isCall,
  walkContext,
} from './context'
import type { EntryFact } from './entry'
import { type FoldTotals, TotalsTally } from './fold-totals'
import { isMidTask, lastMessageAt } from './mid-task'
import { SEND_START, type SendState } from './send-rules'

/** A boundary of a transcript, with what only its entries tell. */
export type FoldBoundary = CompactionRecord & {
  /** The agent was in the middle of something (`isMidTask`). */
  readonly midTask: boolean
}

/** What one entry led to. `needsHistory`: the fold was resumed and this entry reaches back; start over with all entries. */
export type FoldStep = {
  readonly frame?: Frame
  readonly boundary?: FoldBoundary
  readonly needsHistory?: true
}

/** A context as it stands after some entry. */
type NodeState = PromptState & { readonly send: SendState }

/** All that is needed to go on with the next entry at the leaf. Plain JSON, a few kilobytes. */
export type FoldSnapshot = {
  readonly leafId: string | null
  readonly leafState: NodeState
  readonly totals: FoldTotals
  readonly calibrations: { readonly [modelKey: string]: Calibration }
  readonly lastRequest: string | null
}

/** Counters of a session and what its context holds now. */
export type SessionTotals = FoldTotals & { readonly context: Figure; readonly window: Window }

type ModelCalibration = {
  readonly provider: string | null
  readonly model: string | null
  readonly key: string
  readonly calibration: Calibration
}

const EMPTY: NodeState = { sums: EMPTY_SUMS, anchor: null, overhead: null, send: SEND_START }
const NOTHING: FoldStep = {}

/**
 * Reads a transcript entry by entry and says for each call what filled its window. Every entry remembers the state of
 * its context, so a branch costs no more than a straight line; a compaction walks over what it keeps.
 *
 * Deterministic: the same entries give the same frames, whether they come in one go or in pieces with snapshots
 * between. What is learned from a call is used for later calls only.
 */
export class SessionFold {
  private readonly setup: FrameSetup
  /** All entries so far; null when the fold was resumed from a snapshot. */
  private readonly branches: Branches | null
  private readonly states: NodeState[] = []
  private leafId: string | null = null
  private leafState: NodeState = EMPTY
  private counted = new TotalsTally()
  private calibrations: { [modelKey: string]: Calibration } = {}
  private lastRequest: string | null = null
  /** The calibration that was asked for last: nearly always the next one too. */
  private latest: ModelCalibration | null = null

  private constructor(setup: FrameSetup, branches: Branches | null) {
    this.setup = setup
    this.branches = branches
  }

  static start(setup: FrameSetup): SessionFold {
    return new SessionFold(setup, new Branches())
  }

  /**
   * A fold that begins late in a transcript, somewhere before a boundary: its figures are right from that boundary on.
   * @param before counters of everything before the first entry that it is given
   */
  static startLate(setup: FrameSetup, header: EntryFact, before: FoldTotals): SessionFold {
    const branches = new Branches()
    branches.add(header)
    const fold = new SessionFold(setup, branches)
    fold.counted = new TotalsTally(before)
    return fold
  }

  static resume(snapshot: FoldSnapshot, setup: FrameSetup): SessionFold {
    const fold = new SessionFold(setup, null)
    fold.leafId = snapshot.leafId
    fold.leafState = snapshot.leafState
    fold.counted = new TotalsTally(snapshot.totals)
    fold.calibrations = { ...snapshot.calibrations }
    fold.lastRequest = snapshot.lastRequest
    return fold
  }

  snapshot(): FoldSnapshot {
    return {
      leafId: this.leafId,
      leafState: this.leafState,
      totals: this.counted.snapshot(),
      calibrations: this.calibrations,
      lastRequest: this.lastRequest,
    }
  }

  totals(): SessionTotals {
    const { provider, model, entries, unreadable } = this.counted
    // A file in which nothing can be read says nothing about a session.
    const isReadable = entries > unreadable
    const context = !isReadable
      ? UNKNOWN
      : predictTotal(this.leafState, this.calibrationFor(provider, model), this.setup)
    return { ...this.counted.snapshot(), context, window: windowFor(this.setup.hints, model, context.value) }
  }

  /** The frame of the call that would be made now: at the leaf, with the model in use. */
  next(): Frame {
    const { provider, model, calls, entries } = this.counted
    const answer: EntryFact = {
      seq: entries,
      line: 0,
      offset: 0,
      bytes: 0,
      type: 'message',
      role: 'assistant',
      id: null,
      parentId: this.leafId,
      at: null,
      ...(provider === null ? {} : { provider }),
      ...(model === null ? {} : { model }),
    }
    return buildFrame({
      call: calls + 1,
      answer,
      state: forModel(this.leafState, model),
      calibration: this.calibrationFor(provider, model),
      setup: this.setup,
    })
  }

  /** The context of the call that would be made now, in order; null for a fold that was resumed from a snapshot. */
  context(): readonly ContextEntry[] | null {
    return this.branches === null ? null : contextAt(this.branches, this.branches.leaf, this.setup.runtime)
  }

  /**
   * Takes the next entry into the tree and the counters only: what a boundary keeps, when the fold began late. Nothing
   * is learned from it, and its usage is not summed.
   */
  remember(fact: EntryFact): void {
    this.counted.addOutline(fact)
    this.states[fact.seq] = EMPTY
    this.branches?.add(fact)
  }

  /** Whether the entry stands on the way to the current leaf. */
  hasOnPath(seq: number): boolean {
    return this.branches?.path(this.branches.leaf).includes(seq) ?? false
  }

  /** Takes the next entry in file order. */
  push(fact: EntryFact): FoldStep {
    if (this.branches === null && this.reachesBack(fact)) return { needsHistory: true }
    this.counted.addEntry(fact)
    this.branches?.add(fact)
    if (isOutside(fact)) return NOTHING
    if (fact.type === 'leaf') {
      this.moveToLeaf()
      return NOTHING
    }
    const before = this.stateBefore(fact)
    if (isBoundary(fact)) return this.takeBoundary(fact, before)
    const frame = isCall(fact) ? this.takeCall(fact, before) : undefined
    this.settle(fact, this.stateAfter(fact, before))
    return frame === undefined ? NOTHING : { frame }
  }

  /** Whether an entry needs more of the past than a snapshot holds. */
  private reachesBack(fact: EntryFact): boolean {
    if (isOutside(fact)) return false
    if (isBoundary(fact) || fact.type === 'leaf') return true
    return this.counted.version >= 2 && fact.parentId !== this.leafId
  }

  private stateBefore(fact: EntryFact): NodeState {
    if (this.branches === null) return this.leafState
    return this.states[this.branches.parentOf(fact.seq)] ?? EMPTY
  }

  private stateAfter(fact: EntryFact, before: NodeState): NodeState {
    const after = enter(before, fact, this.setup.runtime, false)
    if (!isCall(fact)) return after
    const total = reportedPrompt(fact)
    if (total === null) return after
    const calibration = this.calibrationFor(fact.provider ?? null, fact.model ?? null)
    const { report } = this.setup
    const reported = report === null ? null : fixedTotals(report, calibration).total
    const overhead = settleOverhead(total, before, calibration, reported)
    return { sums: after.sums, anchor: anchorAt(fact, total, before), overhead, send: after.send }
  }

  private takeCall(fact: EntryFact, before: NodeState): Frame {
    const provider = fact.provider ?? null
    const model = fact.model ?? null
    const calibration = this.calibrationFor(provider, model)
    const state = forModel(before, model)
    const frame = buildFrame({
      call: this.counted.calls + 1,
      answer: fact,
      state,
      calibration,
      setup: this.setup,
    })
    const repeated = this.isRepeated(fact)
    this.counted.addCall(fact, frame, repeated)
    this.lastRequest = requestOf(fact)
    const total = reportedPrompt(fact)
    const { anchor } = state
    if (total !== null && anchor !== null && !repeated) {
      const growth = growthSince(anchor, before.sums)
      this.keepCalibration(provider, model, learn(calibration, growth, total - anchor.total))
    }
    return frame
  }

  /** The same response recorded again, as streaming runtimes do. */
  private isRepeated(fact: EntryFact): boolean {
    const request = requestOf(fact)
    return request !== null && request === this.lastRequest
  }

  private takeBoundary(fact: EntryFact, before: NodeState): FoldStep {
    let state: NodeState = { ...EMPTY, overhead: before.overhead }
    if (this.branches !== null) {
      for (const walked of walkContext(this.branches, fact.seq)) {
        state = enter(state, walked.fact, this.setup.runtime, walked.afterReset)
      }
    }
    this.settle(fact, state)
    const boundary: FoldBoundary = {
      seq: fact.seq,
      at: fact.at,
      kind: fact.type === 'reset' ? 'reset' : 'compaction',
      afterCall: this.counted.calls,
      tokensBefore: fact.tokensBefore ?? null,
      tokensAfter: fact.tokensAfter ?? null,
      fromHook: fact.fromHook === true,
      midTask:
        this.branches !== null && isMidTask(lastMessageAt(this.branches, this.branches.parentOf(fact.seq))),
      preview: fact.preview ?? null,
    }
    return { boundary }
  }

  private settle(fact: EntryFact, state: NodeState): void {
    this.states[fact.seq] = state
    if (this.branches !== null) {
      this.moveToLeaf()
      return
    }
    if (fact.side) return
    this.leafId = fact.id
    this.leafState = state
  }

  private moveToLeaf(): void {
    const leaf = this.branches?.leaf ?? ROOT
    this.leafId = this.branches?.facts[leaf]?.id ?? null
    this.leafState = this.states[leaf] ?? EMPTY
  }

  private calibrationFor(provider: string | null, model: string | null): Calibration {
    const { latest } = this
    if (latest !== null && latest.provider === provider && latest.model === model) return latest.calibration
    const calibration = this.calibrations[modelKey(provider, model)] ?? startCalibration(provider, model)
    this.latest = { provider, model, key: modelKey(provider, model), calibration }
    return calibration
  }

  private keepCalibration(provider: string | null, model: string | null, calibration: Calibration): void {
    const { latest } = this
    const isLatest = latest !== null && latest.provider === provider && latest.model === model
    const key = isLatest ? latest.key : modelKey(provider, model)
    this.calibrations[key] = calibration
    this.latest = { provider, model, key, calibration }
  }
}

/** Whether an entry has no place in the tree. */
function isOutside({ type, id }: EntryFact): boolean {
  return type === 'session' || (type === 'unreadable' && id === null)
}

/** The state with one more entry of the context. */
function enter(
  state: NodeState,
  fact: EntryFact,
  runtime: FrameSetup['runtime'],
  afterReset: boolean,
): NodeState {
  const boundarySummary = fact.type === 'compaction'
  if (!boundarySummary && !entersContext(fact)) return state
  const step = contextStep(state.send, fact, runtime, afterReset)
  const counts = step.verdict !== null && (step.verdict.sent || step.verdict.why === 'merged')
  if (!counts && step.state === state.send) return state
  return {
    sums: counts ? addToSums(state.sums, fact) : state.sums,
    anchor: state.anchor,
    overhead: state.overhead,
    send: step.state,
  }
}

/** An anchor of another model says nothing about this one's tokens: its tokenizer and its fixed part are others. */
function forModel(state: NodeState, model: string | null): NodeState {
  return state.anchor === null || state.anchor.model === model ? state : { ...state, anchor: null }
}

function anchorAt(fact: EntryFact, total: number, before: NodeState): Anchor {
  return {
    seq: fact.seq,
    provider: fact.provider ?? null,
    model: fact.model ?? null,
    total,
    output: fact.usage != null && fact.usage.output > 0 ? fact.usage.output : null,
    sums: before.sums,
    answer: fact,
  }
}

function modelKey(provider: string | null, model: string | null): string {
  return `${provider ?? ''}/${model ?? ''}`
}

/** One request, by its response's id and its prompt: there are proxies that give every response the same id. */
function requestOf(fact: EntryFact): string | null {
  return fact.requestId === undefined ? null : `${fact.requestId} ${promptTokens(fact.usage) ?? ''}`
}
