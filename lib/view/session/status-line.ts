import type { SessionOutlook } from '../../core/budget/session-outlook'
import type { Figure } from '../../core/tokens/figure'
import { figureText } from '../text/figure-text'
import { formatCount, formatPercent, formatShort } from '../text/format'

/** A session's outlook on one line: fill against the line that acts, calls to go, and what the next call costs. */
export function statusLineText({
  next,
  line,
  window,
  windowAssumed,
  callsToGo,
  nextUsd,
  coldUsd,
  cacheGone,
}: SessionOutlook): string {
  const limit = line ?? window
  const fill = next.value === null ? '' : ` (${formatPercent(next.value / limit)})`
  const parts = [
    `${short(next)} of ${formatShort(limit)}${fill}${windowAssumed ? ', window assumed' : ''}`,
    next.value !== null && line !== null && next.value >= line
      ? 'compaction is due'
      : `${callsToGo === null ? '?' : `≈ ${formatCount(callsToGo)}`} calls to go`,
    `next ${money(nextUsd)}, ${cacheWords(cacheGone, coldUsd)}`,
  ]
  return parts.join(' · ')
}

function cacheWords(cacheGone: boolean | null, coldUsd: Figure): string {
  if (cacheGone === null) return 'cache unknown'
  return cacheGone ? 'cache gone' : `${money(coldUsd)} once the cache has gone`
}

function short(figure: Figure): string {
  const { value, mark } = figureText(figure, 'short')
  return value === null ? mark : `${mark}${mark === '' ? '' : ' '}${value}`
}

function money(figure: Figure): string {
  const { value, mark } = figureText(figure, 'usd')
  return value === null ? '$ ?' : `${mark} ${value}`
}
