import type { EffectRange, EffectVerdict } from '../../core/findings/effect/judge-effect'
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
  const isShare = measure.name === 'failed' || measure.name === 'compacted'
  const value = (of: number) => (isShare ? `${(of * 100).toFixed(1)} per 100` : formatCount(of))
  const interval = ({ low, high }: EffectRange) =>
    `95 % interval of the difference: ${signed(low, value)} to ${signed(high, value)}`
  const moved = ({ before, after }: EffectRange) => `${value(before)} → ${value(after)}`
  if (verdict.kind === 'not-enough')
    return missingSentence(verdict, (range) => `${measure.words}: ${moved(range)} (${interval(range)})`)
  const { kind, callsBefore, callsAfter } = verdict
  const range = `${interval(verdict)}; ${formatQuantity(callsBefore, 'call')} before, ${formatCount(callsAfter)} after`
  const change = `${measure.words}: ${moved(verdict)}`
  switch (kind) {
    case 'helped':
      return `Helped. ${change} (${range}).`
    case 'worse':
      return `Worse. ${change} (${range}).`
    case 'no-difference':
      return `No difference that can be measured. ${change} (${range}).`
  }
}

function missingSentence(
  {
    callsBefore,
    callsAfter,
    missingBefore,
    missingAfter,
    soFar,
  }: Extract<EffectVerdict, { kind: 'not-enough' }>,
  words: (range: NonNullable<typeof soFar>) => string,
): string {
  const have = `${formatQuantity(callsBefore, 'comparable call')} before, ${formatCount(callsAfter)} after`
  const now = soFar === null ? '' : ` So far ${words(soFar)}.`
  if (missingBefore > 0)
    return `Cannot be told: ${have}, and about ${formatCount(missingBefore)} more from before would be needed, which cannot be made any more.${now}`
  return `Not enough data yet: ${have}; about ${formatQuantity(missingAfter, 'more call')} ${missingAfter === 1 ? 'is' : 'are'} missing to find an effect of 15 %.${now}`
}

function signed(value: number, words: (of: number) => string): string {
  return value < 0 ? `−${words(-value)}` : `+${words(value)}`
}
