import type { Tokens, Usd } from '../units/units'

/** Weights of needs by what a policy made of them. They add up to `all`. */
export type NeedVerdicts = {
  readonly all: number
  /** A source was in the window, or a summary or stub held it word for word. */
  readonly met: number
  /** No source was there, but what says where to find it: a path, an address, a command. */
  readonly pointer: number
  readonly lost: number
}

/** What a policy would have made of one session, the record held fixed. Plain JSON. */
export type SessionReplay = {
  readonly transcriptId: string
  readonly owner: string
  readonly calls: number
  /** Tokens of all prompts together, with everything kept and as the policy has it. */
  readonly tokensAll: Tokens
  readonly tokensSent: Tokens
  /** US dollars with everything kept and as the policy has it, misses included; null: no price is known. */
  readonly usdAll: Usd | null
  readonly usdSent: Usd | null
  /** In units of one fresh input token, which needs no price list but the ratios of the model's prices. */
  readonly costAll: number
  readonly costSent: number
  /**
   * Half width of the range of both in percent, from how far the session's cache is reproduced; null: it reports no use
   * of a cache to compare with.
   */
  readonly errorPct: number | null
  /** Calls whose prompt did not begin as the one before. */
  readonly rewrites: number
  readonly compactions: number
  /** Calls whose prompt would not have fitted. */
  readonly overfull: number
  /** What misses cost to fetch again, in tokens, and in units of one fresh input token. Part of `costSent`. */
  readonly missTokens: Tokens
  readonly missCost: number
  /** What it asks a model for summaries, in the same unit. Part of `costSent`. */
  readonly summaryCost: number
  /** Weight met, rules included, had nothing that was missed come back: every later need of it counts as missed again. */
  readonly metWithoutRecovery: number
  readonly needs: NeedVerdicts
  /** Those older than ten calls: the others are met by almost anything. */
  readonly longRange: NeedVerdicts
  /** Rules, which must survive everything. */
  readonly rules: NeedVerdicts
}

/** A figure over sessions with its 95 % interval, drawn again from whole sessions. */
export type Interval = { readonly value: number; readonly low: number; readonly high: number }

/** A policy over many sessions. */
export type ReplaySum = {
  readonly sessions: number
  readonly calls: number
  /** Weight of all needs, rules left out. */
  readonly needs: number
  /** Share of the cost that it saves against keeping everything, misses paid. null: nothing to compare. */
  readonly saving: Interval | null
  /** The same before misses and summaries are paid. */
  readonly savingBeforeMisses: Interval | null
  /** Share of prompt tokens that it saves: what it would save if nothing were ever cached. */
  readonly tokensSaved: Interval | null
  /** Weight of needs met over all weight, of all and of those older than ten calls. */
  readonly recall: Interval | null
  readonly longRecall: Interval | null
  readonly rulesKept: Interval | null
  /** Share of weight that nothing can bring back. */
  readonly lost: Interval | null
  readonly usdAll: Usd | null
  readonly usdSent: Usd | null
  readonly missTokens: Tokens
  readonly rewrites: number
  readonly compactions: number
  readonly overfull: number
  /** The largest share of the weight that one session has: above 30 % the sum speaks of that session. */
  readonly largestShare: number
}

/** A need that a policy left unmet, with the drop that caused it: evidence. */
export type Regret = {
  readonly transcriptId: string
  /** Number of the need in its session, the call that wrote it and its text. */
  readonly need: number
  readonly call: number
  readonly text: string
  readonly kind: string
  readonly weight: number
  readonly verdict: 'pointer' | 'lost'
  /** The latest chunk that held it, the call before which it went, and the part of the policy that let it go. */
  readonly chunk: number
  readonly droppedBefore: number
  readonly rule: string
  /** Sequence numbers of the entries of the chunk and of the call, and where in the text the chunk is. */
  readonly entry: number
  readonly from: number
  readonly to: number
  readonly callEntry: number
}
