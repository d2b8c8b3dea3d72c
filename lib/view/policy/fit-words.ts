import type { CompactionExplanation, FitReason } from '../../core/compaction/explain'
import type { PolicyFit } from '../../core/compaction/policy-fit'
import { formatCount, formatPercent, formatQuantity } from '../text/format'

/** Why a compaction is not explained, or not compared, in few words. */
export const REASON_WORDS: { readonly [R in FitReason]: string } = {
  manual: 'manual',
  ours: 'made with Plimsoll',
  overflow: 'overflow',
  timeout: 'after a timeout',
  provider: 'by the provider',
  'other-version': 'other version',
  'unknown-window': 'window not known',
  'unknown-size': 'size not known',
  'switched-off': 'switched off today',
  late: 'late',
  'below-line': 'below the line',
}

const REASON_SENTENCES: { readonly [R in FitReason]: string } = {
  manual: 'it was asked for, as the runtime noted',
  ours: 'it was made with Plimsoll',
  overflow: 'the prompt had been refused as too long',
  timeout: 'a call had timed out, as the runtime noted',
  provider: 'the provider did it on its side',
  'other-version': 'the line of another release explains it',
  'unknown-window': 'the window of that time is not known',
  'unknown-size': 'the size of the prompt was not reported',
  'switched-off': 'today the settings switch compaction off',
  late: 'the line was passed more than one call before: an attempt may have failed and left no record',
  'below-line': 'the line was not reached: it was asked for, or settings of that time were others',
}

/** How a recorded compaction agrees with what its runtime does, in a sentence without its full stop. */
export function explanationWords(explanation: CompactionExplanation): string {
  const { verdict, reason, tokens, line, window, assumedWindow, gap } = explanation
  const compared =
    tokens === null || line === null
      ? ''
      : `${formatCount(tokens)} tokens against the line of ${formatCount(line)}${window === null ? '' : ` in ${formatCount(window.tokens)}`}`
  const assumed = assumedWindow === null ? '' : `, assumed: ${assumedWindow}`
  if (verdict === 'explained')
    return `${compared}${assumed}${gap === 0 ? '' : `, ${formatQuantity(gap ?? 0, 'call')} off`}`
  const why = reason === null ? '' : REASON_SENTENCES[reason]
  return compared === '' ? why : `${why} (${compared})`
}

/** `14 of 15 explained within one call (93 %), 2 of them with an assumed window`. */
export function fitWords({
  recorded,
  compared,
  explained,
  windowAssumed,
  share,
}: Omit<PolicyFit, 'others'>): string {
  if (recorded === 0) return 'no compaction is recorded'
  if (share === null) return `none of ${formatQuantity(recorded, 'recorded compaction')} can be compared`
  const assumed = windowAssumed === 0 ? '' : `, ${formatCount(windowAssumed)} of them with an assumed window`
  const aside = recorded - compared
  const rest = aside === 0 ? '' : `; ${formatCount(aside)} more cannot be compared`
  return `${formatCount(explained)} of ${formatQuantity(compared, 'compaction')} explained within one call (${formatPercent(share)})${assumed}${rest}`
}
