import { windowFor } from '../../budget/window'
import { type FrameSetup, outputOf } from '../../tokens/build-frame'
import { addToSums } from '../../tokens/context-sums'
import { UNKNOWN } from '../../tokens/figure'
import type { Frame } from '../../tokens/frame'
import { reportedPrompt, resentOutput } from '../../tokens/usage'
import { Branches, ROOT } from '../branches'
import { type ContextEntry, contextAt, isAnswer, isBoundary, isCall, walkContext } from '../context'
import type { EntryFact } from '../entry'
import { isProviderCompaction, isUsable } from '../provider-checkpoint'
import { inEach, type NodeState, type SentState, sentOn, takeCheckpoint } from '../replay-state'
import { repeatsLines, writesInRecords } from '../send-rules'
import { CallJudge, type JudgedCall } from './call-judge'
import { CallRecords } from './call-records'
import { asCopy, CountedBefore, mayBeCopy, supersedes } from './counted-before'
import { EMPTY, enter, isOutside, repeatedEntry } from './fold-states'
import type { FoldBoundary, FoldSnapshot, FoldStep, SessionTotals } from './fold-step'
import { type FoldTotals, NO_TOTALS, TotalsTally } from './fold-totals'
import { KnownModels } from './known-models'
import { isMidTask, lastMessageAt } from './mid-task'
import { type OpenCall, withAnswer, withNextRecord } from './open-call'

const NOTHING: FoldStep = {}

/**
 * Reads a transcript entry by entry and says for each call what filled its window. Every entry remembers the state of
 * its context, so a branch costs no more than a straight line; a compaction walks over what it keeps.
 *
 * Deterministic: the same entries give the same frames, whether they come in one go or in pieces with snapshots
 * between. What is learned from a call is used for later calls only.
 */
export class SessionFold {
  private readonly judge: CallJudge
  /** What the transcript itself says of its setup is on top of this. */
  private readonly given: FrameSetup
  /** All entries so far; null when the fold was resumed from a snapshot. */
  private readonly branches: Branches | null
  private readonly states: NodeState[] = []
  private leafId: string | null = null
  private leafState: NodeState = EMPTY
  private readonly counted: TotalsTally
  private readonly records = new CallRecords()
  /** Of a runtime that repeats lines, by a fold that has all entries. */
  private readonly known = new CountedBefore()

  private constructor(
    setup: FrameSetup,
    branches: Branches | null,
    totals: FoldTotals = NO_TOTALS,
    models: KnownModels = new KnownModels(),
  ) {
    this.given = setup
    this.counted = new TotalsTally(totals, setup.prices)
    this.judge = new CallJudge(setup, models, this.counted)
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
    return new SessionFold(setup, branches, before)
  }

  static resume(snapshot: FoldSnapshot, setup: FrameSetup): SessionFold {
    const fold = new SessionFold(setup, null, snapshot.totals, new KnownModels(snapshot))
    fold.leafId = snapshot.leafId
    fold.leafState = snapshot.leafState
    if (snapshot.records !== undefined) {
      fold.records.resume(snapshot.records)
      fold.judge.setup = fold.records.setupOn(setup)
    }
    return fold
  }

  snapshot(): FoldSnapshot {
    const records = this.records.snapshot()
    return {
      leafId: this.leafId,
      leafState: this.leafState,
      totals: this.counted.snapshot(),
      ...this.judge.models.snapshot(),
      ...(records === undefined ? {} : { records }),
    }
  }

  totals(): SessionTotals {
    const { provider, model, entries, unreadable } = this.counted
    // A file in which nothing can be read says nothing about a session.
    const isReadable = entries > unreadable
    const context = !isReadable ? UNKNOWN : this.judge.expected(this.sentNext(), provider, model)
    const proof = this.judge.proofFor(provider, model)
    const window = windowFor(this.judge.setup.hints, model, proof, provider)
    return { ...this.counted.snapshot(), context, window }
  }

  /**
   * The frame of the call that would be made now: at the leaf, with the model in use.
   * @param view `full`: as if no provider had compacted anything on its side
   */
  next(view: 'as-sent' | 'full' = 'as-sent'): Frame {
    return this.judge.next(view === 'full' ? this.leafState : this.sentNext(), this.leafId)
  }

  /** The context of the call that would be made now, in order; null for a fold that was resumed from a snapshot. */
  context(): readonly ContextEntry[] | null {
    if (this.branches === null) return null
    return contextAt(this.branches, this.branches.leaf, this.judge.setup.runtime, this.judge.nextRoute())
  }

  private sentNext(): SentState {
    return sentOn(this.leafState, this.judge.nextRoute()).state
  }

  /**
   * Takes the next entry into the tree and the counters only: what a boundary keeps, when the fold began late. Nothing
   * is learned from it, and its usage is not summed.
   */
  remember(given: EntryFact): void {
    const earlier = this.earlierThan(given)
    const fact = earlier === null || supersedes(given, earlier) ? given : repeatedEntry(given)
    this.counted.addOutline(fact)
    this.states[fact.seq] = EMPTY
    this.branches?.add(fact)
  }

  /** Whether the entry is on the way to the current leaf. */
  hasOnPath(seq: number): boolean {
    return this.branches?.path(this.branches.leaf).includes(seq) ?? false
  }

  /** Takes the next entry in file order. */
  push(given: EntryFact): FoldStep {
    if (this.branches === null && this.reachesBack(given)) return { needsHistory: true }
    const earlier = this.earlierThan(given)
    if (earlier !== null && !supersedes(given, earlier)) {
      const repeated = repeatedEntry(given)
      this.counted.addEntry(repeated)
      this.branches?.add(repeated)
      return { fact: repeated }
    }
    if (repeatsLines(this.given.runtime) && this.leavesLeaf(given)) this.records.stray()
    const fact = this.isCopy(given, earlier)
      ? asCopy(isAnswer(given) ? given : this.completed(given), this.namedParent(given))
      : this.completed(given)
    const isKnown = fact.type === 'compaction' && this.counted.hasCompaction(fact)
    this.counted.addEntry(fact)
    this.branches?.add(fact)
    if (isOutside(fact)) return NOTHING
    if (fact.type === 'leaf') {
      this.moveToLeaf()
      return NOTHING
    }
    const before = this.stateBefore(fact)
    if (fact.copied) return this.takeCopy(fact, before)
    if (repeatsLines(this.given.runtime) && this.branches !== null) this.known.note(fact)
    if (isBoundary(fact)) {
      if (this.inRecords) this.records.endSegment()
      const step = this.takeBoundary(fact, before)
      return isKnown ? NOTHING : step
    }
    if (this.inRecords && (fact.type === 'usage' || fact.again)) {
      const step = fact.again ? this.takeRecord(fact, before, earlier) : this.takeUsage(fact, before)
      return fact === given ? step : { ...step, fact }
    }
    const call = isCall(fact) ? this.takeCall(fact, before) : null
    this.settle(fact, this.stateAfter(fact, before, call !== null && !call.isDoubtful))
    if (this.inRecords) this.noteRecord(fact, before, call?.frame ?? null)
    const boundary = isProviderCompaction(fact) ? this.boundaryAt(fact) : undefined
    if (call === null && boundary === undefined && fact === given) return NOTHING
    return {
      ...(call === null ? {} : { frame: call.frame }),
      ...(boundary === undefined ? {} : { boundary }),
      ...(fact === given ? {} : { fact }),
    }
  }

  /**
   * The entry before that has the id of this one, as files of resumed sessions of Claude Code hold entries once more.
   * The first of a run of them names a parent that is not the leaf, so that a fold without history asks for it.
   */
  private earlierThan({ id }: EntryFact): EntryFact | null {
    return repeatsLines(this.given.runtime) && id !== null ? (this.branches?.withId(id) ?? null) : null
  }

  private isCopy(given: EntryFact, earlier: EntryFact | null): boolean {
    if (earlier === null && !this.records.strayed) return false
    return this.known.isCopy(given, earlier, this.namedParent(given), this.records.isOpen(given))
  }

  private namedParent({ parentId }: EntryFact): EntryFact | null {
    return parentId === null ? null : (this.branches?.withId(parentId) ?? null)
  }

  private completed(given: EntryFact): EntryFact {
    return this.inRecords ? this.records.complete(given, this.counted) : this.counted.asRecorded(given)
  }

  /** What was counted already enters the context, and is no call. */
  private takeCopy(fact: EntryFact, before: NodeState): FoldStep {
    const { anchor } = before
    const entered = this.stateAfter(fact, before, isAnswer(fact) && !fact.again)
    if (fact.again && anchor !== null) {
      const answer = withNextRecord(anchor.answer, fact)
      const sums = withAnswer(before.sums, anchor.answer, answer)
      this.settle(fact, { ...entered, sums, anchor: { ...anchor, answer, output: resentOutput(answer) } })
    } else this.settle(fact, entered)
    this.noteRecord(fact, before, null)
    return { fact }
  }

  private get inRecords(): boolean {
    return writesInRecords(this.given.runtime)
  }

  private noteRecord(fact: EntryFact, before: NodeState, frame: Frame | null): void {
    if (frame === null) this.records.pass(fact)
    else this.records.begin(fact, before, frame)
    this.heed(fact)
  }

  /** What the transcript says of the part before the conversation and of windows counts from here on. */
  private heed(fact: EntryFact): void {
    if (this.records.heed(fact, this.counted.model)) this.judge.setup = this.records.setupOn(this.given)
  }

  /** One more record of the call before it. @param replaced a record of it that the new one counts for */
  private takeRecord(fact: EntryFact, before: NodeState, replaced: EntryFact | null): FoldStep {
    const { send } = enter(before, fact, this.given.runtime, false)
    const added = this.records.addRecord(fact, replaced)
    if (added === null) {
      this.settle(fact, { ...before, send })
      return NOTHING
    }
    const { open, answer } = added
    const isNext = replaced === null
    const sums = isNext ? withAnswer(before.sums, open.answer, answer) : addToSums(open.before.sums, answer)
    const after = { ...before, send, sums }
    this.settle(fact, isNext ? after : this.judge.learnPrompt(answer, open.before, after))
    return this.amend(open, answer, open.isClosed)
  }

  /** A report on usage: of the call before it, of the one that comes, or of a request that is none of this session. */
  private takeUsage(fact: EntryFact, before: NodeState): FoldStep {
    this.settle(fact, before)
    const { at, model = null } = fact
    if (fact.side) {
      const agent = this.records.takeAgentReport(fact)
      if (agent !== null) this.counted.addBesides(agent.usage, agent.before, model, at)
      return NOTHING
    }
    this.heed(fact)
    const report = this.records.takeReport(fact, this.counted.calls)
    if (report.of === 'other') this.counted.addBesides(report.usage, null, this.counted.model, at)
    if (report.of !== 'call') return NOTHING
    const { open, answer } = report
    const state = this.leafState
    this.settle(fact, { ...state, sums: withAnswer(state.sums, open.answer, answer) })
    return this.amend(open, answer, true)
  }

  /** Takes what became known of a call after it was made. The sums at the leaf have it already. */
  private amend(open: OpenCall, answer: EntryFact, isClosed: boolean): FoldStep {
    const { usage } = open.answer
    const isNew = reportedPrompt(answer) !== reportedPrompt(open.answer)
    const isChanged =
      isNew || answer.usage?.output !== usage?.output || answer.stopReason !== open.answer.stopReason
    const judged = isNew ? this.judge.judge(answer, open.before, open.call) : null
    const frame =
      judged?.frame ??
      (isChanged
        ? { ...open.frame, output: outputOf(answer), stopReason: answer.stopReason ?? null }
        : open.frame)
    if (isChanged) this.counted.amendCall(open.answer, open.frame, answer, frame)
    this.records.keep({ ...open, answer, frame, isClosed })
    const state = this.leafState
    if (judged !== null && !judged.isDoubtful)
      this.settleLeaf(this.judge.learnPrompt(answer, open.before, state))
    else if (state.anchor?.seq === answer.seq)
      this.settleLeaf({ ...state, anchor: { ...state.anchor, answer, output: resentOutput(answer) } })
    return isChanged ? { amended: { fact: answer, frame } } : NOTHING
  }

  private settleLeaf(state: NodeState): void {
    if (this.branches !== null) this.states[this.branches.leaf] = state
    this.leafState = state
  }

  /** Whether an entry needs more of the past than a snapshot holds. */
  private reachesBack(fact: EntryFact): boolean {
    if (isBoundary(fact) || isProviderCompaction(fact) || fact.type === 'leaf') return true
    if (repeatsLines(this.given.runtime) && this.records.mayReplace(fact, this.leafId)) return true
    return this.leavesLeaf(fact) || (this.records.strayed && mayBeCopy(fact))
  }

  /** Whether an entry goes on elsewhere than where the conversation is. */
  private leavesLeaf(fact: EntryFact): boolean {
    if (isOutside(fact) || isBoundary(fact)) return false
    if (this.inRecords && (fact.side || this.records.goesOn(fact))) return false
    return this.counted.version >= 2 && fact.parentId !== this.leafId
  }

  private stateBefore(fact: EntryFact): NodeState {
    if (this.branches === null) return this.leafState
    return this.states[this.branches.parentOf(fact.seq)] ?? EMPTY
  }

  /** @param learns it is a call, and its report is not in doubt: a cut prompt says nothing of what was sent */
  private stateAfter(fact: EntryFact, before: NodeState, learns: boolean): NodeState {
    const entered = inEach(before, (state) => enter(state, fact, this.judge.setup.runtime, false))
    const after = learns ? this.judge.learnPrompt(fact, before, entered) : entered
    return fact.checkpoint === undefined ? after : takeCheckpoint(after, fact, this.judge.session())
  }

  private takeCall(fact: EntryFact, before: NodeState): JudgedCall {
    const judged = this.judge.judge(fact, before, this.counted.calls + 1)
    this.counted.addCall(fact, judged.frame)
    return judged
  }

  private takeBoundary(fact: EntryFact, before: NodeState): FoldStep {
    let state: SentState = { ...EMPTY, overhead: before.overhead }
    const kept: number[] = []
    if (this.branches !== null) {
      for (const walked of walkContext(this.branches, fact.seq)) {
        state = enter(state, walked.fact, this.judge.setup.runtime, walked.afterReset)
        if (walked.fact.seq < fact.seq) kept.push(walked.fact.seq)
      }
    }
    this.settle(fact, state)
    const [from = null, to = null] = [kept[0], kept.at(-1)]
    // A path goes forward in the file.
    return {
      boundary: { ...this.boundaryAt(fact), kept: from === null || to === null ? null : { from, to } },
    }
  }

  private boundaryAt(fact: EntryFact): FoldBoundary {
    const { checkpoint } = fact
    return {
      seq: fact.seq,
      at: fact.at,
      kind: checkpoint !== undefined ? 'provider' : fact.type === 'reset' ? 'reset' : 'compaction',
      afterCall: this.counted.calls,
      kept: null,
      tokensBefore: fact.tokensBefore ?? reportedPrompt(fact),
      tokensAfter: fact.tokensAfter ?? null,
      fromHook: fact.fromHook === true,
      midTask:
        this.branches !== null && isMidTask(lastMessageAt(this.branches, this.branches.parentOf(fact.seq))),
      preview:
        (checkpoint === undefined ? fact.preview : isUsable(checkpoint) ? checkpoint.text : undefined) ??
        null,
    }
  }

  private settle(fact: EntryFact, state: NodeState): void {
    this.states[fact.seq] = state
    if (fact.side) return
    this.leafId = fact.id
    this.leafState = state
  }

  private moveToLeaf(): void {
    const leaf = this.branches?.leaf ?? ROOT
    this.leafId = this.branches?.facts[leaf]?.id ?? null
    this.leafState = this.states[leaf] ?? EMPTY
  }
}
