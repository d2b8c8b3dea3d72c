import type { PolicyRole } from '../../core/replay/experiment-result'
import type { Interval } from '../../core/replay/replay-result'
import type { CacheFit } from '../../core/replay/replay-session'
import { formatPercent, formatQuantity } from '../text/format'

/** What every figure of a replay rests on; said beside each of its results. */
export const ASSUMPTION = 'assuming the agent had done the same'

/** What a need that was left unmet says, and what it does not. */
export const REGRET_IS =
  'A need that a policy leaves unmet is something that a later call wrote and that nothing in its prompt held any more. The agent may have known it, or have done without: it is no worse outcome.'

/** Above this share of the weight the sum speaks of one session. */
const MUCH_OF_ONE = 0.3

/** A session whose cache is reproduced within this share has one price; others have a range. */
const REPRODUCED = 0.05

export const ROLE_WORDS: { readonly [R in PolicyRole]: string } = {
  policy: '',
  oracle: 'knows the future',
  recorded: 'as it was',
  all: 'keeps everything',
  random: 'by chance',
  'in-force': 'in force',
  tuned: 'tuned',
}

/**
 * `≈ 31 % (28 % … 35 %)`; `?` where nothing could be compared. In a narrow column the line ends before the bracket, and
 * nowhere else.
 */
export function intervalText(interval: Interval | null): string {
  if (interval === null) return '?'
  const { value, low, high } = interval
  const range = low === high ? '' : ` (${shareText(low)}\u00a0…\u00a0${shareText(high)})`
  return `≈\u00a0${shareText(value)}${range}`
}

/** Shares near to all of it need more digits: 99.6 % and 99.9 % differ by a factor of four in what is lost. */
export function shareText(share: number): string {
  if (share === 1) return formatPercent(1)
  return share > 0.9 && share < 1
    ? `${(Math.floor(share * 1000) / 10).toFixed(1)}\u202f%`
    : formatPercent(share)
}

/** Why a sum should be read with care; null: nothing speaks against it. */
export function shareWarning(largestShare: number): string | null {
  return largestShare > MUCH_OF_ONE
    ? `One session has ${formatPercent(largestShare)} of the weight: the sums speak of that session.`
    : null
}

/** How far the recorded use of the cache is reproduced, before anything is priced. */
export function fitText({
  matched,
  compared,
  coldStarts,
}: Pick<CacheFit, 'matched' | 'compared' | 'coldStarts'>): string {
  if (compared === 0) return 'no cache figures'
  const cold = coldStarts.length === 0 ? '' : `, ${formatQuantity(coldStarts.length, 'cold start')}`
  return `${matched} of ${compared} calls${cold}`
}

/** Whether its price is a range. */
export function isRanged({ money }: Pick<CacheFit, 'money'>): boolean {
  return money === null || Math.abs(money - 1) > REPRODUCED
}
