import { HealthFold, type HealthPoint } from './health-series'
import type { AnyLogRecord } from './log-fields'
import { LOG_KINDS, type LogKind } from './log-kinds'
import { NumberFold, type NumberStats } from './number-stats'
import { isUndoing } from './recovery-events'
import { ScoreFold, type ScoreHistogram } from './score-histogram'

/** How often something was said; most often first, then by name. */
export type Tally = readonly { readonly name: string | null; readonly count: number }[]

/** The sums of the logs of a context manager, from which advice on the thresholds is made. */
export type LogSummary = {
  readonly lines: { readonly [K in LogKind]: number }
  /** Time of the earliest and of the latest line; null without any. Milliseconds. */
  readonly from: number | null
  readonly to: number | null
  readonly drops: { readonly reasons: Tally; readonly scores: ScoreHistogram; readonly tokens: NumberStats }
  readonly compactions: {
    readonly triggers: Tally
    readonly savings: NumberStats
    readonly chunksDropped: NumberStats
    readonly chunksSummarized: NumberStats
  }
  readonly curations: { readonly savings: NumberStats; readonly dropsTriggered: NumberStats }
  readonly recoveries: {
    readonly triggers: Tally
    readonly chunks: NumberStats
    /** Those of them that were taken back later. */
    readonly undone: number
  }
  readonly health: {
    /** Share of the window, 0 to 1. */
    readonly fill: NumberStats
    readonly points: readonly HealthPoint[]
  }
}

/** Adds up the lines of logs as they come, in memory that does not grow with texts. */
export class LogFold {
  private readonly lines: { [K in LogKind]: number } = {
    compaction: 0,
    curation: 0,
    drops: 0,
    recovery: 0,
    health: 0,
  }
  private from: number | null = null
  private to: number | null = null
  private readonly reasons = new TallyFold()
  private readonly scores = new ScoreFold()
  private readonly dropTokens = new NumberFold()
  private readonly triggers = new TallyFold()
  private readonly savings = new NumberFold()
  private readonly chunksDropped = new NumberFold()
  private readonly chunksSummarized = new NumberFold()
  private readonly curationSavings = new NumberFold()
  private readonly dropsTriggered = new NumberFold()
  private readonly recoveryTriggers = new TallyFold()
  private readonly recovered = new NumberFold()
  private undone = 0
  private readonly fill = new NumberFold()
  private readonly series = new HealthFold()

  push(record: AnyLogRecord): void {
    const { at } = record
    this.lines[record.kind]++
    if (at !== null) {
      this.from = Math.min(this.from ?? at, at)
      this.to = Math.max(this.to ?? at, at)
    }
    switch (record.kind) {
      case 'drops':
        this.reasons.push(record.reason)
        this.scores.push(record.relevanceScore)
        this.dropTokens.push(record.tokens)
        break
      case 'compaction':
        this.triggers.push(record.trigger)
        this.savings.push(record.tokenSavings ?? savedBetween(record.tokensBefore, record.tokensAfter))
        this.chunksDropped.push(record.chunksDropped)
        this.chunksSummarized.push(record.chunksSummarized)
        break
      case 'curation':
        this.curationSavings.push(record.tokenSavings)
        this.dropsTriggered.push(record.dropsTriggered)
        break
      case 'recovery':
        if (isUndoing(record)) {
          this.undone++
          break
        }
        this.recoveryTriggers.push(record.trigger)
        this.recovered.push(
          record.chunksRecovered ?? record.chunkIds?.length ?? (record.chunkId === null ? null : 1),
        )
        break
      case 'health': {
        const share = fillOf(record)
        this.fill.push(share)
        if (share !== null && at !== null) this.series.push(at, share)
        break
      }
    }
  }

  summary(): LogSummary {
    return {
      lines: Object.fromEntries(LOG_KINDS.map((kind) => [kind, this.lines[kind]])) as LogSummary['lines'],
      from: this.from,
      to: this.to,
      drops: {
        reasons: this.reasons.tally(),
        scores: this.scores.histogram(),
        tokens: this.dropTokens.stats(),
      },
      compactions: {
        triggers: this.triggers.tally(),
        savings: this.savings.stats(),
        chunksDropped: this.chunksDropped.stats(),
        chunksSummarized: this.chunksSummarized.stats(),
      },
      curations: { savings: this.curationSavings.stats(), dropsTriggered: this.dropsTriggered.stats() },
      recoveries: {
        triggers: this.recoveryTriggers.tally(),
        chunks: this.recovered.stats(),
        undone: this.undone,
      },
      health: { fill: this.fill.stats(), points: this.series.points() },
    }
  }
}

/** The share of the window in a health line; null when it does not. */
export function fillOf(record: Extract<AnyLogRecord, { kind: 'health' }>): number | null {
  const { pctUsed, currentTokens, limit } = record
  if (pctUsed !== null) return pctUsed
  return currentTokens === null || limit === null || limit <= 0 ? null : currentTokens / limit
}

/** Tokens that a compaction saved; null when the line does not say both. */
export function savedBetween(before: number | null, after: number | null): number | null {
  return before === null || after === null ? null : before - after
}

class TallyFold {
  private readonly counts = new Map<string | null, number>()

  push(name: string | null): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
  }

  tally(): Tally {
    return [...this.counts]
      .map(([name, count]) => ({ name, count }))
      .sort((a, b) => b.count - a.count || ((a.name ?? '') < (b.name ?? '') ? -1 : 1))
  }
}
