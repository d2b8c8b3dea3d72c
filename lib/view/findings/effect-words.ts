import type { EffectRange, EffectVerdict } from '../../core/findings/effect/judge-effect'
import type { EffectMeasure } from '../../core/findings/effect/measures'
import { shareText } from '../lab/result-words'
import { formatCount, formatQuantity } from '../text/format'
import { changeRange } from './foreseen-words'

/** Whether a remedy helped, in a sentence with the numbers that it rests on. */
export function effectSentence({
  measure,
  verdict,
  watched,
}: {
  readonly measure: Pick<EffectMeasure, 'name' | 'words'> | null
  readonly verdict: EffectVerdict | null
  readonly watched: { readonly foreseen: ForeseenEffect | null }
}): string {
  const foreseen = watched.foreseen === null ? '' : ` ${foreseenSentence(watched.foreseen, verdict)}`
  return `${seenSentence(measure, verdict)}${foreseen}`
}

function seenSentence(
  measure: Pick<EffectMeasure, 'name' | 'words'> | null,
  verdict: EffectVerdict | null,
): string {
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

/** What a replay said that a change would do, of the same measure and of the cost. */
type ForeseenEffect = {
  readonly sessions: number
  readonly change: number | null
  readonly low: number | null
  readonly high: number | null
  readonly saving: number | null
  readonly savingLow: number | null
  readonly savingHigh: number | null
  readonly recall: number | null
}

/** What was foreseen beside what was seen. */
function foreseenSentence(foreseen: ForeseenEffect, verdict: EffectVerdict | null): string {
  const { sessions, change, low, high, saving, savingLow, savingHigh, recall } = foreseen
  const of = (value: number, from: number | null, to: number | null) =>
    changeRange({ value, low: from ?? value, high: to ?? value })
  const parts = [
    ...(change === null ? [] : [of(change, low, high)]),
    ...(saving === null ? [] : [`cost ${of(-saving, negated(savingHigh), negated(savingLow))}`]),
    ...(recall === null ? [] : [`${shareText(recall)} of later needs met`]),
  ]
  const seen =
    change === null || verdict === null || verdict.kind === 'not-enough' || verdict.before === 0
      ? ''
      : ` Seen: ${of(verdict.after / verdict.before - 1, verdict.low / verdict.before, verdict.high / verdict.before)}.`
  return `Foreseen by replay of ${formatQuantity(sessions, 'session')}: ${parts.join(', ')}.${seen}`
}

function negated(value: number | null): number | null {
  return value === null ? null : -value
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
    return `Unknown: ${have}, and about ${formatCount(missingBefore)} more from before would be needed, which cannot be made any more.${now}`
  return `Not enough data yet: ${have}; about ${formatQuantity(missingAfter, 'more call')} ${missingAfter === 1 ? 'is' : 'are'} missing to find an effect of 15 %.${now}`
}

function signed(value: number, words: (of: number) => string): string {
  return value < 0 ? `−${words(-value)}` : `+${words(value)}`
}
