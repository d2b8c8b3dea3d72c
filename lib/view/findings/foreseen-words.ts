import { type Foreseen, pickDoubt } from '../../core/findings/remedies/foreseen'
import type { Interval } from '../../core/replay/replay-result'
import { intervalText, shareText } from '../lab/result-words'
import { formatCount, formatQuantity, formatUsd } from '../text/format'
import { signedPercent } from '../text/signed'
import type { ConfirmAnswer } from './remedy-answers'

/** What changed settings would have meant for recorded sessions, in sentences, the most telling first. */
export function foreseenLines(foreseen: Foreseen): readonly string[] {
  const { sessions, calls, more, failed, now, changed, gain, prompt } = foreseen
  const over = [
    formatQuantity(sessions, 'session'),
    formatQuantity(calls, 'call'),
    ...(more > 0 ? [`${formatQuantity(more, 'older one')} not replayed`] : []),
    ...(failed > 0 ? [`${formatCount(failed)} could not be read`] : []),
  ].join(', ')
  const usd =
    now.usdSent === null || changed.usdSent === null
      ? ''
      : ` (≈ ${formatUsd(now.usdSent)} → ≈ ${formatUsd(changed.usdSent)})`
  return [
    gain === null
      ? 'What it would have saved is not known.'
      : gain.value === 0 && prompt?.value === 0
        ? 'It would have changed nothing in these calls.'
        : `It would have ${gain.value < 0 ? `cost ${intervalText(negated(gain))} more` : `saved ${intervalText(gain)} of the cost`}${usd}, with ${changeRange(prompt)} prompt tokens.`,
    `Compactions: ${formatCount(now.compactions)} → ${formatCount(changed.compactions)}; prompts that begin anew: ${formatCount(now.rewrites)} → ${formatCount(changed.rewrites)}; calls that would not fit: ${formatCount(now.overfull)} → ${formatCount(changed.overfull)}.`,
    needsLine(foreseen),
    `Estimated by replay of ${over}, assuming the agent had done the same.${sessions === 1 ? ' Of one session no interval can be drawn.' : ''}`,
  ]
}

/**
 * Why a pick is not written before it is asked for once more; null: nothing speaks against it.
 * @param problem why it could not be replayed
 */
export function askedAgain(foreseen: Foreseen | null, problem: string): ConfirmAnswer | null {
  if (foreseen === null)
    return {
      kind: 'confirm',
      title: 'What this pick costs is not known',
      words: `${problem} Nothing was written.`,
    }
  if (pickDoubt(foreseen) === null) return null
  const more = foreseen.gain === null ? 'more' : `${intervalText(negated(foreseen.gain))} more`
  return {
    kind: 'confirm',
    title: 'This pick costs more',
    words: `By replay, what this file has keys for of these values would have cost ${more} than the settings in force. Nothing was written.`,
  }
}

/** What it would have met and lost of what was needed later. */
function needsLine({ now, changed }: Foreseen): string {
  const share = (of: Interval | null) => (of === null ? '?' : shareText(of.value))
  const both = (of: (side: Foreseen['now']) => Interval | null) => `${share(of(now))} → ${share(of(changed))}`
  const rules = now.rulesKept === null ? '' : ` Rules kept: ${both(({ rulesKept }) => rulesKept)}.`
  if (now.recall === null)
    return `Nothing in these sessions was needed later, so what it would have lost does not show.${rules}`
  const old =
    now.longRecall === null ? '' : `, of needs older than ten calls ${both(({ longRecall }) => longRecall)}`
  return `Of what was needed later it would have met ${both(({ recall }) => recall)}${old}; lost for good: ${both(({ lost }) => lost)}.${rules}`
}

function negated({ value, low, high }: Interval): Interval {
  return { value: -value, low: -high, high: -low }
}

/** `−23 % (−30 to −15)`. */
export function changeRange(change: Interval | null): string {
  if (change === null) return 'unknown'
  const { value, low, high } = change
  const range = low === high ? '' : ` (${signedPercent(low)} to ${signedPercent(high)})`
  return `${signedPercent(value)}${range}`
}
