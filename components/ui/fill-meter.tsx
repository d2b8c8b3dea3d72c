import type { FillView } from '@/lib/view/session-list/fill'
import { formatShort } from '@/lib/view/text/format'
import { Meter } from './meter'

/** The meter of a session's fill: full length is the effective budget, marks are the load lines. */
export function FillMeter({ fill, className }: { fill: FillView; className?: string }) {
  return (
    <Meter
      share={fill.share}
      tone={fill.tone}
      label={fill.sentence}
      // A line in a larger window, which the runtime believes in, lies beyond the meter; the label names it.
      lines={fill.lines
        .filter(({ at }) => at <= 1)
        .map((line) => ({
          at: line.at,
          label: `${line.name} ${formatShort(line.tokens)}`,
          major: line.major,
        }))}
      className={className}
    />
  )
}
