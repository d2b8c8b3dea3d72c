import type { FrameSetup } from '../../tokens/build-frame'
import type { Frame } from '../../tokens/frame'
import { entersContext, isAnswer } from '../context'
import type { EntryFact, Usage } from '../entry'
import type { NodeState } from '../replay-state'
import {
  NO_RECORDS,
  type OpenCall,
  type RecordsState,
  withAgentUsage,
  withNames,
  withNextRecord,
} from './open-call'

/** What a report on usage is of: the call before it, a request that is no call here, or one whose answer comes yet. */
type Report =
  | { readonly of: 'call'; readonly open: OpenCall; readonly answer: EntryFact }
  | { readonly of: 'other'; readonly usage: Usage }
  | { readonly of: 'none' }

const NO_REPORT: Report = { of: 'none' }

/**
 * Follows a transcript whose runtime writes a response in several records and what it used on one of them, or behind
 * them (Claude Code, Codex). Says what a record belongs to; what that means for frames and sums is the fold's.
 */
export class CallRecords {
  private now: RecordsState = NO_RECORDS

  /** Plain JSON; undefined: there is nothing to remember. */
  snapshot(): RecordsState | undefined {
    return this.now === NO_RECORDS ? undefined : this.now
  }

  resume(state: RecordsState): void {
    this.now = state
  }

  /** An entry with what the records before it say of it. @param last who answered last */
  complete(fact: EntryFact, last: Pick<RecordOwner, 'provider' | 'model'>): EntryFact {
    const { open, pending, names } = this.now
    if (fact.resultFor !== undefined && fact.toolName === undefined) {
      const toolName = names.findLast(({ id }) => id === fact.resultFor)?.name
      return toolName === undefined ? fact : { ...fact, toolName }
    }
    if (!isAnswer(fact)) return fact
    if (open !== null && isOfResponse(open, fact)) return { ...fact, again: true }
    if (fact.model !== undefined) return fact
    const { provider, model } = last
    return {
      ...fact,
      ...(provider === null ? {} : { provider }),
      ...(model === null ? {} : { model }),
      ...(pending === null ? {} : { usage: pending }),
    }
  }

  /** Whether an entry goes on where the last response is, whichever of its records it names as its parent. */
  goesOn(fact: EntryFact): boolean {
    const { open } = this.now
    if (open === null || open.isLeft) return false
    if (fact.resultFor !== undefined)
      return open.answer.calls?.some(({ id }) => id === fact.resultFor) ?? false
    return fact.requestId !== undefined && fact.requestId === open.answer.requestId
  }

  /**
   * Whether an entry may be there to take the place of a record of the last response, or repeat it: it has the id of the
   * first one, or is not behind the one that was written last.
   */
  mayReplace({ id, parentId, requestId }: EntryFact, leafId: string | null): boolean {
    const { open } = this.now
    if (open === null || requestId === undefined || requestId !== open.answer.requestId) return false
    return id === open.answer.id || (!open.isClosed && parentId !== leafId)
  }

  /** A call was made. @param before the context that it was sent */
  begin(answer: EntryFact, before: NodeState, frame: Frame): void {
    const open = { call: frame.call, answer, before, frame, isClosed: false, isLeft: false }
    const { strayed: _ended, ...now } = this.now
    this.now = { ...now, open, names: withNames(now.names, answer), pending: null }
  }

  /** Whether what comes may be a copy (`RecordsState.strayed`). */
  get strayed(): boolean {
    return this.now.strayed === true
  }

  /** Whether an answer is a record of the last response. */
  isOpen(fact: EntryFact): boolean {
    const { open } = this.now
    return open !== null && isOfResponse(open, fact)
  }

  /** An entry came that goes back to an earlier place. */
  stray(): void {
    if (!this.strayed) this.now = { ...this.now, strayed: true }
  }

  /** An entry came that is no call. */
  pass(fact: EntryFact): void {
    const { open } = this.now
    if (open === null || !entersContext(fact)) return
    const isLeft = open.isLeft || fact.resultFor === undefined
    if (!open.isClosed || isLeft !== open.isLeft)
      this.now = { ...this.now, open: { ...open, isClosed: true, isLeft } }
  }

  /** Takes what an entry says of the part before the conversation and of the window; true: it is news. */
  heed({ fixed, window }: EntryFact, model: string | null): boolean {
    const { windows } = this.now
    const isNewWindow = window !== undefined && model !== null && windows[model] !== window
    if (fixed === undefined && !isNewWindow) return false
    this.now = {
      ...this.now,
      fixed: fixed ?? this.now.fixed,
      windows: isNewWindow ? { ...windows, [model]: window } : windows,
    }
    return true
  }

  /** What frames are made with, by what the transcript itself says. */
  setupOn(given: FrameSetup): FrameSetup {
    const { fixed, windows } = this.now
    return {
      ...given,
      report: fixed ?? given.report,
      hints: { ...given.hints, catalogue: { ...windows, ...given.hints.catalogue } },
    }
  }

  /** A compaction: what is reported from here to the next answer is of the request for it. */
  endSegment(): void {
    this.now = { ...this.now, open: null, pending: null }
  }

  /** One more record of a response; null where its first one is not known. @param replaced see `withNextRecord` */
  addRecord(
    fact: EntryFact,
    replaced: EntryFact | null = null,
  ): { readonly open: OpenCall; readonly answer: EntryFact } | null {
    const { open, names } = this.now
    if (open === null) return null
    this.now = { ...this.now, names: withNames(names, fact) }
    return { open, answer: withNextRecord(open.answer, fact, replaced) }
  }

  /** Takes a report on usage. @param calls how many calls there were before it */
  takeReport(fact: EntryFact, calls: number): Report {
    const { open, billed, named } = this.now
    const usage = fact.usage ?? null
    if (usage === null || (fact.billed !== undefined && fact.billed === billed)) return NO_REPORT
    // The two kinds of reports do not count the requests of compactions alike: their bills differ after one.
    if (fact.requestId === undefined && named !== undefined && isSameUsage(named, usage)) return NO_REPORT
    // Early releases of Codex report before the first record, all others behind the last one.
    const order = this.now.order ?? (calls === 0 ? 'before' : 'after')
    const pending = order === 'before' ? usage : null
    const reported = fact.requestId === undefined ? undefined : usage
    this.now = { ...this.now, order, pending, billed: fact.billed ?? null, named: reported }
    if (order === 'before') return NO_REPORT
    // No answer is behind it: the request of a compaction, or another one of the client's own.
    if (open === null || open.answer.usage != null) return { of: 'other', usage }
    return { of: 'call', open, answer: { ...open.answer, usage } }
  }

  /** Takes what a sub-agent used whose lines are in this file. @returns the usage, and what of it was counted before */
  takeAgentReport(fact: EntryFact): { readonly usage: Usage; readonly before: Usage | null } | null {
    const { requestId, usage } = fact
    if (usage == null) return null
    if (requestId === undefined) return { usage, before: null }
    const { agents, now, before } = withAgentUsage(this.now.agents, requestId, usage)
    this.now = { ...this.now, agents }
    return { usage: now, before }
  }

  /** A call as it is known now. */
  keep(open: OpenCall): void {
    this.now = { ...this.now, open }
  }
}

function isSameUsage(a: Usage, b: Usage): boolean {
  return (
    a.input === b.input &&
    a.output === b.output &&
    a.cacheRead === b.cacheRead &&
    a.cacheWrite === b.cacheWrite
  )
}

type RecordOwner = { readonly provider: string | null; readonly model: string | null }

/** Whether an answer is a further record of a call. */
function isOfResponse(open: OpenCall, { requestId }: EntryFact): boolean {
  return requestId === undefined ? !open.isClosed : requestId === open.answer.requestId
}
