import { type CutoffAdvice, type CutoffPoint, MOST_AGAINST } from '../../core/logs/advise-cutoff'
import type { CutoffAction, DropSetting, WhatIf } from '../../core/logs/what-if'
import type { TrialResult } from '../../core/replay/drop-trial'
import type { Tokens } from '../../core/units/units'
import { addressQuery } from '../text/address-query'
import { formatCount, formatPercent, formatQuantity } from '../text/format'

/** What the explorer is asked for: two settings, and whose drops. All of it is in the address. */
export type CutoffParams = {
  /** null: the setting of the operator's files. */
  readonly before: DropSetting | null
  readonly after: DropSetting | null
  readonly session: string
  /** Tokens in the context from which on a trial lets a pass be due; null: where the policy has it. */
  readonly from: number | null
}

/** Reads an address; a threshold that is no share is left out. */
export function parseCutoffParams(get: (name: string) => string | null): CutoffParams {
  const share = (name: string) => {
    const text = get(name) ?? ''
    const value = Number(text)
    return text !== '' && value >= 0 && value <= 1 ? value : null
  }
  const setting = (cutoff: number | null, keep: number | null): DropSetting | null =>
    cutoff === null || keep === null ? null : { cutoff, keep }
  const from = Number(get('from') ?? Number.NaN)
  return {
    before: setting(share('was'), share('wasKeep')),
    after: setting(share('cutoff'), share('keep')),
    session: (get('session') ?? '').slice(0, 200),
    from: Number.isInteger(from) && from > 0 ? from : null,
  }
}

/** The query of an address, with its question mark. */
export function cutoffQueryText({ before, after, session, from }: CutoffParams): string {
  const query = new URLSearchParams()
  if (before !== null) {
    query.set('was', String(before.cutoff))
    query.set('wasKeep', String(before.keep))
  }
  if (after !== null) {
    query.set('cutoff', String(after.cutoff))
    query.set('keep', String(after.keep))
  }
  if (session !== '') query.set('session', session)
  if (from !== null) query.set('from', String(from))
  return addressQuery(query)
}

/** A drop that the other setting would treat otherwise. */
export type ChangedRow = {
  readonly key: string
  readonly chunkId: string
  readonly shownId: string
  readonly sessionId: string | null
  readonly shownSession: string
  readonly score: number
  readonly tokens: Tokens | null
  readonly before: CutoffAction
  readonly after: CutoffAction
  /** Why it was wanted later, in words; null when nothing speaks against its drop. */
  readonly against: string | null
}

export type CutoffView = {
  /** Logged drops that were examined, and how many are logged. */
  readonly drops: number
  readonly logged: number
  /** Drops whose later needs are known: their transcripts are here. */
  readonly needsKnown: number
  /** The thresholds in force. */
  readonly inForce: DropSetting
  readonly before: WhatIf
  readonly after: WhatIf
  readonly curve: readonly CutoffPoint[]
  readonly changed: readonly ChangedRow[]
  readonly changedTotal: number
  readonly advice: CutoffAdvice
  readonly sessions: readonly { readonly value: string; readonly label: string }[]
}

/** Both settings tried on the same transcripts. */
export type TrialView = {
  readonly sessions: readonly { readonly id: string; readonly title: string; readonly calls: number }[]
  readonly scorer: string
  /** Tokens from which on passes were due; by session, the lowest and the highest. */
  readonly from: { readonly lowest: number; readonly highest: number }
  readonly before: { readonly setting: DropSetting; readonly result: TrialResult }
  readonly after: { readonly setting: DropSetting; readonly result: TrialResult }
  /** Sessions that could not be read. */
  readonly problems: readonly string[]
}

export type TrialFigures = {
  /** Shares, 0 to 1; null when there is nothing to take a share of. */
  readonly fewerTokens: Tokens | null
  /** At least, and at most if summaries hold what was needed of them. */
  readonly retention: number | null
  readonly retentionMost: number | null
  readonly longRetention: number | null
}

/** What a trial comes to: fewer tokens, and later needs still met. */
export function trialFigures({ tokensAll, tokensSent, needs, longRange }: TrialResult): TrialFigures {
  const share = ({ all, lost, summarised }: TrialResult['needs'], most: boolean) =>
    all === 0 ? null : 1 - (lost + (most ? 0 : summarised)) / all
  return {
    fewerTokens: tokensAll === 0 ? null : 1 - tokensSent / tokensAll,
    retention: share(needs, false),
    retentionMost: share(needs, true),
    longRetention: share(longRange, false),
  }
}

/** What the logs advise, in a sentence or two; names the key to change. */
export function adviceWords(advice: CutoffAdvice): string {
  if (advice.kind === 'too-few')
    return `Nothing yet: there are ${formatQuantity(advice.drops, 'scored drop')}, and fewer than ${formatCount(advice.wanted)} say nothing.`
  if (advice.drops === 0) return 'Nothing: at this cut-off none of the logged drops would have been dropped.'
  const share = `${formatPercent(advice.against)} of ${formatQuantity(advice.drops, 'drop')} at this cut-off`
  if (advice.kind === 'stay')
    return advice.against <= MOST_AGAINST
      ? `Leave the cut-off: ${share} were wanted later. Whether a higher one would do as well, no log can tell, since what stayed is not logged; try it on transcripts.`
      : `No lower cut-off would help: ${share} were wanted later, and those have low scores, too. Look at the scorer (relevance.scorer) and its weights instead.`
  const { change, thenAgainst } = advice
  return `${share} were wanted later; with a cut-off of ${change.to} it would be ${formatPercent(thenAgainst)}. Change ${change.key} from ${change.from} to ${change.to} in plimsoll.yaml, or ${change.seedKey} in context-config.yaml.`
}

/** Aims of an evaluation. */
export const AIMS = { fewerTokens: 0.2, retention: 0.95 } as const
