import { CATEGORIES } from '../../tokens/category'
import type { Frame } from '../../tokens/frame'
import { NO_PRICES, type OwnPrices } from '../../tokens/own-prices'
import { promptTokens, reportedPrompt } from '../../tokens/usage'
import type { Milliseconds } from '../../units/units'
import { isAnswer, isCall } from '../context'
import type { EntryFact, Usage } from '../entry'
import { isProviderCompaction } from '../provider-checkpoint'
import {
  type Amounts,
  addAmounts,
  amountsOf,
  DAY_MS,
  DayTally,
  type DayTotals,
  type Listed,
  listedOf,
  NO_AMOUNTS,
  NO_SPENDING,
  negated,
} from './day-tally'
import { NO_TOOLS, ToolTally, type ToolTallyState } from './tool-tally'

/** How many calls the trend of a session remembers. */
export const TREND_CALLS = 32

/** Requests and what they used. Tokens. */
type BesidesSums = Pick<DayTotals, 'calls' | 'input' | 'output' | 'cacheRead' | 'cacheWrite'> & Listed

const NO_USAGE: BesidesSums = {
  ...{ calls: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  ...{ listUsd: null, unpriced: 0 },
}

/**
 * Counters over all entries of a transcript so far. Plain JSON, part of the fold's snapshot. The amounts are lifetime
 * sums of what providers reported, and never shown as fill.
 */
export type FoldTotals = Amounts & {
  /** As the header says; 0 while there was none. */
  readonly version: number
  readonly sessionId: string | null
  readonly cwd: string | null
  readonly name: string | null
  readonly entries: number
  readonly unreadable: number
  readonly unknownTypes: number
  readonly turns: number
  readonly compactions: number
  readonly provider: string | null
  readonly model: string | null
  /** The session that this one works for, by the runtime's own id; null: it is no sub-agent. */
  readonly agentOf: string | null
  /**
   * What of the sums is of requests that no frame shows: the runtime's own, and those of sub-agents within the file.
   */
  readonly besides: BesidesSums
  readonly startedAt: Milliseconds | null
  readonly updatedAt: Milliseconds | null
  readonly trend: readonly (number | null)[]
  readonly days: readonly DayTotals[]
  readonly tools: ToolTallyState
  /** The largest prompt that was reported, by provider and model (`modelKey`), in tokens. */
  readonly accepted: { readonly [modelKey: string]: number }
  /** The request of the last call (`requestOf`); null when it has no id. */
  readonly lastRequest: string | null
  /** Ids of the compactions that were counted. */
  readonly compactionIds: readonly string[]
}

export const NO_TOTALS: FoldTotals = {
  version: 0,
  sessionId: null,
  cwd: null,
  name: null,
  entries: 0,
  unreadable: 0,
  unknownTypes: 0,
  calls: 0,
  turns: 0,
  compactions: 0,
  provider: null,
  model: null,
  ...NO_SPENDING,
  agentOf: null,
  besides: NO_USAGE,
  startedAt: null,
  updatedAt: null,
  trend: [],
  days: [],
  tools: NO_TOOLS,
  accepted: {},
  lastRequest: null,
  compactionIds: [],
}

/**
 * Counts over a transcript while it is read. Kept in place, since a transcript has tens of thousands of entries;
 * `snapshot` answers values that stay as they are, and the same object for a day that has not changed since the last.
 */
/** Claude Code writes its commands so: `<command-name>/init</command-name>`, with a message before it or behind. */
function isCommand(text: string): boolean {
  return /^<command-(?:name|message)>/.test(text)
}

export class TotalsTally {
  private readonly now: {
    -readonly [K in Exclude<
      keyof FoldTotals,
      'trend' | 'days' | 'tools' | 'accepted' | 'compactionIds'
    >]: FoldTotals[K]
  }
  private readonly trend: (number | null)[]
  private readonly days: DayTally[]
  private readonly tools: ToolTally
  private readonly accepted: { [modelKey: string]: number }
  private readonly compactionIds: Set<string>

  /** @param prices the operator's own, above those of the list */
  constructor(
    from: FoldTotals = NO_TOTALS,
    private readonly prices: OwnPrices = NO_PRICES,
  ) {
    const { trend, days, tools, accepted, compactionIds, ...rest } = from
    this.now = { ...rest }
    this.trend = [...trend]
    this.days = days.map((day) => new DayTally(day))
    this.tools = new ToolTally(tools)
    this.accepted = { ...accepted }
    this.compactionIds = new Set(compactionIds)
  }

  get version(): number {
    return this.now.version
  }

  get entries(): number {
    return this.now.entries
  }

  get unreadable(): number {
    return this.now.unreadable
  }

  get turns(): number {
    return this.now.turns
  }

  get calls(): number {
    return this.now.calls
  }

  get sessionId(): string | null {
    return this.now.sessionId
  }

  get provider(): string | null {
    return this.now.provider
  }

  get model(): string | null {
    return this.now.model
  }

  /**
   * The entry, marked where it is one more record of the response before it, as streaming runtimes write several of
   * one: they are one call.
   */
  asRecorded(fact: EntryFact): EntryFact {
    if (!isAnswer(fact)) return fact
    const request = requestOf(fact)
    return request !== null && request === this.now.lastRequest ? { ...fact, again: true } : fact
  }

  /** Whether a compaction with this id was counted before: the same record, written twice. */
  hasCompaction({ id }: EntryFact): boolean {
    return id !== null && this.compactionIds.has(id)
  }

  snapshot(): FoldTotals {
    return {
      ...this.now,
      trend: [...this.trend],
      days: this.days.map((day) => day.snapshot()),
      tools: this.tools.snapshot(),
      accepted: { ...this.accepted },
      compactionIds: [...this.compactionIds],
    }
  }

  /** Counts one entry. Calls are counted by `addCall`, with their frame. */
  addEntry(fact: EntryFact): void {
    const { now } = this
    now.entries += 1
    if (!fact.copied) this.tools.addEntry(fact)
    if (fact.cwd !== undefined) now.cwd ??= fact.cwd
    if (fact.at !== null) {
      if (now.startedAt === null || fact.at < now.startedAt) now.startedAt = fact.at
      if (now.updatedAt === null || fact.at > now.updatedAt) now.updatedAt = fact.at
    }
    switch (fact.type) {
      case 'session':
        now.agentOf ??= fact.header?.agentOf ?? null
        // A second header in a file is counted, and says only what the first did not.
        now.cwd ??= fact.header?.cwd ?? null
        if (now.sessionId !== null) break
        now.version = fact.header?.version ?? 1
        now.sessionId = fact.header?.sessionId || null
        now.cwd = fact.header?.cwd ?? null
        now.provider = fact.provider ?? null
        now.model = fact.model ?? null
        break
      case 'unreadable':
        now.unreadable += 1
        break
      case 'unknown':
        now.unknownTypes += 1
        break
      case 'compaction':
        if (this.hasCompaction(fact)) break
        now.compactions += 1
        this.tools.addBoundary()
        if (fact.id !== null) this.compactionIds.add(fact.id)
        break
      case 'model_change':
        now.provider = fact.provider ?? now.provider
        now.model = fact.model ?? now.model
        break
      case 'session_info':
        now.name = fact.preview ?? null
        break
      case 'message':
        if (isProviderCompaction(fact)) {
          now.compactions += 1
          this.tools.addBoundary()
        }
        if (fact.role !== 'user' || fact.copied) break
        now.turns += 1
        if (now.name === null || isCommand(now.name)) now.name = fact.preview ?? now.name
        break
      // A session that consists of a command of its client is called by it.
      case 'custom_message':
        if (fact.preview !== undefined && isCommand(fact.preview)) now.name ??= fact.preview
        break
      default:
        break
    }
  }

  /** Counts one entry and, if it is a call, that it was made and with which model; neither its usage nor its cost. */
  addOutline(given: EntryFact): void {
    const fact = this.asRecorded(given)
    this.addEntry(fact)
    if (!isCall(fact)) return
    this.addBareCall(fact)
    this.noteAccepted(fact)
  }

  /** A prompt that a provider answered proves that its model's window is at least as large. */
  noteAccepted(answer: EntryFact): void {
    const prompt = reportedPrompt(answer)
    const key = modelKey(answer.provider ?? null, answer.model ?? null)
    if (prompt !== null && prompt > (this.accepted[key] ?? 0)) this.accepted[key] = prompt
  }

  /** The largest prompt that this model was reported to have been given; null when not reported. Tokens. */
  acceptedBy(provider: string | null, model: string | null): number | null {
    return this.accepted[modelKey(provider, model)] ?? null
  }

  private addBareCall(answer: EntryFact): void {
    const { now } = this
    now.calls += 1
    now.lastRequest = requestOf(answer)
    now.provider = answer.provider ?? now.provider
    now.model = answer.model ?? now.model
  }

  /** Counts one call. */
  addCall(answer: EntryFact, frame: Frame): void {
    const added = amountsOf(answer, this.prices)
    this.addBareCall(answer)
    // The call itself is counted already.
    addAmounts(this.now, added)
    this.now.calls -= 1
    this.tools.addCall()
    this.trend.push(frame.total.value)
    if (this.trend.length > TREND_CALLS) this.trend.shift()
    if (answer.at !== null)
      this.dayOf(answer.at, answer.model ?? 'unknown').add(added, answer.usage == null ? null : frame)
  }

  /** Counts the last call anew, of which more is known now. The model and the time are those that it was counted with. */
  amendCall(answer: EntryFact, frame: Frame, nowAnswer: EntryFact, nowFrame: Frame): void {
    this.noteAccepted(nowAnswer)
    const taken = negated(amountsOf(answer, this.prices))
    const added = amountsOf(nowAnswer, this.prices)
    addAmounts(this.now, taken)
    addAmounts(this.now, added)
    if (this.trend.length > 0) this.trend[this.trend.length - 1] = nowFrame.total.value
    if (answer.at === null) return
    const day = this.dayOf(answer.at, answer.model ?? 'unknown')
    day.add(taken, answer.usage == null ? null : frame, -1)
    day.add(added, nowAnswer.usage == null ? null : nowFrame)
  }

  /**
   * Counts a request that is no call of this session: it fills no window here, and is billed all the same.
   * @param before what was counted of it already
   */
  addBesides(usage: Usage, before: Usage | null, model: string | null, at: number | null): void {
    const { input, output, cacheRead, cacheWrite } = usage
    const call = { provider: this.now.provider, model, at }
    const listed = listedOf(usage, call, this.prices)
    const listedBefore = before === null ? null : listedOf(before, call, this.prices)
    const added: Amounts = {
      calls: 0,
      input: input - (before?.input ?? 0),
      output: output - (before?.output ?? 0),
      cacheRead: cacheRead - (before?.cacheRead ?? 0),
      cacheWrite: cacheWrite - (before?.cacheWrite ?? 0),
      costUsd: usage.costUsd === null ? null : usage.costUsd - (before?.costUsd ?? 0),
      costUnknownCalls: before === null && usage.costUsd === null ? 1 : 0,
      listUsd: listed.listUsd === null ? null : listed.listUsd - (listedBefore?.listUsd ?? 0),
      unpriced: listed.unpriced - (listedBefore?.unpriced ?? 0),
    }
    addAmounts(this.now, added)
    const { besides } = this.now
    this.now.besides = {
      listUsd: added.listUsd === null ? besides.listUsd : (besides.listUsd ?? 0) + added.listUsd,
      unpriced: besides.unpriced + added.unpriced,
      calls: besides.calls + (before === null ? 1 : 0),
      input: besides.input + added.input,
      output: besides.output + added.output,
      cacheRead: besides.cacheRead + added.cacheRead,
      cacheWrite: besides.cacheWrite + added.cacheWrite,
    }
    if (at !== null) this.dayOf(at, model ?? 'unknown').add(added, null)
  }

  private dayOf(at: number, model: string): DayTally {
    const number = Math.floor(at / DAY_MS)
    const known = this.days.findLast((day) => day.number === number && day.model === model)
    if (known !== undefined) return known
    const day = new Date(at).toISOString().slice(0, 10)
    const fresh = new DayTally({ day, model, ...NO_AMOUNTS, categories: CATEGORIES.map(() => 0) })
    this.days.push(fresh)
    return fresh
  }
}

/** One model at one provider. */
export function modelKey(provider: string | null, model: string | null): string {
  return `${provider ?? ''}/${model ?? ''}`
}

/** One request, by its response's id and its prompt: there are proxies that give every response the same id. */
function requestOf(fact: EntryFact): string | null {
  return fact.requestId === undefined ? null : `${fact.requestId} ${promptTokens(fact.usage) ?? ''}`
}
