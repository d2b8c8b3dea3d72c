import type { EffectVerdict } from '../../core/findings/effect/judge-effect'
import type { EffectMeasure } from '../../core/findings/effect/measures'
import { formatCount, formatQuantity } from '../text/format'

/** Whether a remedy helped, in a sentence with the numbers that it rests on. */
export function effectSentence({
  measure,
  verdict,
}: {
  readonly measure: Pick<EffectMeasure, 'name' | 'words'> | null
  readonly verdict: EffectVerdict | null
}): string {
  if (measure === null || verdict === null)
    return 'What it is for shows in no call, so whether it helped is not measured.'
  if (verdict.kind === 'not-enough') return missingSentence(verdict)
  const { kind, before, after, low, high, callsBefore, callsAfter } = verdict
  const isShare = measure.name === 'failed' || measure.name === 'compacted'
  const value = (of: number) => (isShare ? `${(of * 100).toFixed(1)} per 100` : formatCount(of))
  const range = `95 % interval of the difference: ${signed(low, value)} to ${signed(high, value)}; ${formatQuantity(callsBefore, 'call')} before, ${formatCount(callsAfter)} after`
  const change = `${measure.words}: ${value(before)} → ${value(after)}`
  switch (kind) {
    case 'helped':
      return `Helped. ${change} (${range}).`
    case 'worse':
      return `Worse. ${change} (${range}).`
    case 'no-difference':
      return `No difference that can be measured. ${change} (${range}).`
  }
}

function missingSentence({
  callsBefore,
  callsAfter,
  missingBefore,
  missingAfter,
}: Extract<EffectVerdict, { kind: 'not-enough' }>): string {
  const have = `${formatQuantity(callsBefore, 'comparable call')} before, ${formatCount(callsAfter)} after`
  if (missingBefore > 0)
    return `Cannot be told: ${have}, and about ${formatCount(missingBefore)} more from before would be needed, which cannot be made any more.`
  return `Not enough data yet: ${have}; about ${formatQuantity(missingAfter, 'more call')} in one session, or fewer over several, ${missingAfter === 1 ? 'is' : 'are'} missing.`
}

function signed(value: number, words: (of: number) => string): string {
  return value < 0 ? `−${words(-value)}` : `+${words(value)}`
}
