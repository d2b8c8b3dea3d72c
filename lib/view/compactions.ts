import type { CompactionOddity, CompactionTrigger, InspectedCompaction } from '../core/compaction/inspect'
import { formatCount, formatPercent } from './format'
import type { JobView } from './jobs'
import type { LossesView } from './losses'

/** A compaction or reset as the list shows it. Tokens are those of prompts; null: nobody reported them. */
export type CompactionItem = {
  readonly seq: number
  readonly line: number
  readonly at: number | null
  readonly kind: 'compaction' | 'reset'
  readonly trigger: { readonly word: string; readonly about: string }
  readonly fromHook: boolean
  readonly promptBefore: number | null
  readonly promptAfter: number | null
  /** What the record itself says of the size before. */
  readonly recordedBefore: number | null
  /** Share of the prompt that it freed; negative when it grew, null when that is not known. */
  readonly freed: number | null
  readonly summarised: number
  readonly kept: number
  readonly midTask: boolean
  readonly oddities: readonly { readonly word: string; readonly about: string }[]
  /** The calls around it; null where there is none. */
  readonly callBefore: number | null
  readonly callAfter: number | null
  /** The receipt, where it was made with Plimsoll. */
  readonly ours: JobView['receipt']
}

/** What stands behind one of them, read when it is opened. */
export type CompactionDetailView = {
  /** Credentials covered. */
  readonly summary: string
  readonly losses: LossesView
  /** Entries after it that were looked at for names that came back, and whether those are all up to the next. */
  readonly lookedAt: number
  readonly complete: boolean
}

export type CompactionsView = {
  readonly items: readonly CompactionItem[]
  readonly calls: number
}

const TRIGGERS: { readonly [T in CompactionTrigger]: CompactionItem['trigger'] } = {
  overflow: { word: 'overflow', about: 'the provider had refused the prompt as too long' },
  threshold: { word: 'threshold', about: 'the prompt stood near the end of its window' },
  early: {
    word: 'early',
    about: 'the window was far from full: somebody asked for it, or a policy acts early',
  },
  unknown: { word: 'unknown trigger', about: 'the transcript does not tell how full the window was' },
}

const ODDITIES: { readonly [O in CompactionOddity]: CompactionItem['oddities'][number] } = {
  'reclaimed-nothing': {
    word: 'reclaimed nothing',
    about: 'The prompt after it was hardly smaller, or larger, than the one before it.',
  },
  doubled: { word: 'doubled', about: 'No call was made since the compaction before it.' },
  'was-reset': {
    word: 'was a reset',
    about: 'Nothing of the conversation stayed word for word: in fact it began anew.',
  },
}

/** Newest first. @param receiptOf the receipt of a record of ours, by the id of its entry */
export function compactionsView(
  found: readonly InspectedCompaction[],
  calls: number,
  receiptOf: (entryId: string) => JobView['receipt'],
): CompactionsView {
  const items = found.map((one): CompactionItem => {
    const { seq, line, at, kind, fromHook, promptBefore, promptAfter, recordedBefore, midTask } = one
    return {
      seq,
      line,
      at,
      kind,
      trigger: TRIGGERS[one.trigger],
      fromHook,
      promptBefore,
      promptAfter,
      recordedBefore,
      freed: freedShare(one),
      summarised: one.summarised.length,
      kept: one.kept.length,
      midTask,
      oddities: one.oddities.map((oddity) => ODDITIES[oddity]),
      callBefore: one.afterCall === 0 ? null : one.afterCall,
      callAfter: one.afterCall < calls ? one.afterCall + 1 : null,
      ours: receiptOf(one.entryId),
    }
  })
  return { items: items.reverse(), calls }
}

/** Share of the prompt that a compaction freed; negative when it grew, null when that is not known. */
export function freedShare({
  promptBefore,
  promptAfter,
}: Pick<InspectedCompaction, 'promptBefore' | 'promptAfter'>): number | null {
  const isKnown = promptBefore !== null && promptAfter !== null && promptBefore > 0
  return isKnown ? (promptBefore - promptAfter) / promptBefore : null
}

/** `−77 %`, `+3 %: it grew`; '' when it is not known. */
export function freedWords(freed: number | null): string {
  if (freed === null) return ''
  return freed >= 0 ? `−${formatPercent(freed)}` : `+${formatPercent(-freed)}: it grew`
}

/** Where names that came back were looked for. */
export function lookedWords({ lookedAt, complete }: CompactionDetailView): string {
  const where = complete ? 'up to the next one or the end' : 'the first of those that follow'
  return `${formatCount(lookedAt)} entries after it were looked at, ${where}.`
}
