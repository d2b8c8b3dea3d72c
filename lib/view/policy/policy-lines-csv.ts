import { toCsv } from '../text/csv'
import type { LineFills } from './policy-fills'
import type { Threshold } from './policy-lines'

/** The thresholds, what they mean, and the histogram below them, as one table. */
export function linesCsv(lines: readonly Threshold[], fills: LineFills): string {
  const head = ['kind', 'name', 'share', 'tokens', 'enabled', 'sessions', 'of', 'times', 'calls']
  return toCsv(head, [
    ...lines.map((line) => [
      'line',
      line.label,
      line.at,
      line.tokens,
      line.enabled ? 'yes' : 'no',
      line.crossed.sessions,
      line.crossed.of,
      line.crossed.times,
      null,
    ]),
    ...fills.bars.map((calls, i) => ['fill', `${i} %`, i / 100, null, null, null, null, null, calls]),
  ])
}
