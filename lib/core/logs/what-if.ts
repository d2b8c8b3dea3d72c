import type { Tokens } from '../units/units'
/** The two thresholds that decide about a score: at or below the cut-off it goes, at or above `keep` it stays. */
export type DropSetting = { readonly cutoff: number; readonly keep: number }

/** A logged drop, and what speaks against it. */
export type JudgedDrop = {
  readonly chunkId: string
  readonly sessionId: string | null
  /** Milliseconds since the epoch. */
  readonly at: number | null
  /** null: another rule than the cut-off dropped it, or the log does not say. */
  readonly score: number | null
  readonly threshold: number | null
  readonly reason: string | null
  readonly tokens: Tokens | null
  /** What brought it back later; null when nothing did. */
  readonly recovered: string | null
  /** Weight of later needs that nothing else in the context could meet (core/replay/needs.ts); null: not looked up. */
  readonly needed: number | null
}

/** Chunks of one decision. Unknown tokens are counted, not added. */
export type CutoffPart = {
  readonly chunks: number
  readonly tokens: Tokens
  readonly unknownTokens: Tokens
  /** Those that were recovered or needed later. */
  readonly against: number
  readonly againstTokens: Tokens
}

export type CutoffAction = 'drop' | 'summarise' | 'keep'

/** What would have become of the logged drops. */
export type WhatIf = {
  readonly setting: DropSetting
  readonly parts: { readonly [A in CutoffAction]: CutoffPart }
  /** Drops that no threshold decides about; they stay dropped whatever the setting. */
  readonly unscored: CutoffPart
  /** The cut-off is above what was logged: what it would drop besides stayed, and no log has it. */
  readonly isAboveLogged: boolean
}

/** From so much weight of later needs on, a chunk counts as needed (lib/docs/relevance.md#needs). */
export const NEEDED_WEIGHT = 0.5

export function cutoffAction(score: number, { cutoff, keep }: DropSetting): CutoffAction {
  if (score >= keep) return 'keep'
  return score <= cutoff ? 'drop' : 'summarise'
}

/** Whether something speaks against a drop. */
export function speaksAgainst({ recovered, needed }: Pick<JudgedDrop, 'recovered' | 'needed'>): boolean {
  return recovered !== null || (needed ?? 0) >= NEEDED_WEIGHT
}

/** What a setting would have done with the drops of a log. */
export function whatIf(drops: readonly JudgedDrop[], setting: DropSetting): WhatIf {
  const parts = { drop: new PartFold(), summarise: new PartFold(), keep: new PartFold() }
  const unscored = new PartFold()
  for (const drop of drops)
    (drop.score === null ? unscored : parts[cutoffAction(drop.score, setting)]).push(drop)
  const highest = highestLogged(drops)
  return {
    setting,
    parts: { drop: parts.drop.part(), summarise: parts.summarise.part(), keep: parts.keep.part() },
    unscored: unscored.part(),
    isAboveLogged: highest !== null && setting.cutoff > highest,
  }
}

/** Drops that two settings would treat otherwise, largest first. */
export type ChangedAction = {
  readonly drop: JudgedDrop
  readonly before: CutoffAction
  readonly after: CutoffAction
}

export function changedActions(
  drops: readonly JudgedDrop[],
  before: DropSetting,
  after: DropSetting,
): ChangedAction[] {
  return drops
    .flatMap((drop): ChangedAction[] => {
      if (drop.score === null) return []
      const [from, to] = [cutoffAction(drop.score, before), cutoffAction(drop.score, after)]
      return from === to ? [] : [{ drop, before: from, after: to }]
    })
    .toSorted((a, b) => (b.drop.tokens ?? 0) - (a.drop.tokens ?? 0))
}

/** The highest cut-off that chunks were dropped by; null when no line names one. */
function highestLogged(drops: readonly JudgedDrop[]): number | null {
  return drops.reduce<number | null>(
    (highest, { threshold }) =>
      threshold === null ? highest : highest === null ? threshold : Math.max(highest, threshold),
    null,
  )
}

class PartFold {
  private chunks = 0
  private tokens = 0
  private unknownTokens = 0
  private against = 0
  private againstTokens = 0

  push(drop: JudgedDrop): void {
    this.chunks += 1
    if (drop.tokens === null) this.unknownTokens += 1
    this.tokens += drop.tokens ?? 0
    if (!speaksAgainst(drop)) return
    this.against += 1
    this.againstTokens += drop.tokens ?? 0
  }

  part(): CutoffPart {
    const { chunks, tokens, unknownTokens, against, againstTokens } = this
    return { chunks, tokens, unknownTokens, against, againstTokens }
  }
}
