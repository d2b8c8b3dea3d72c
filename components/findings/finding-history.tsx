import { HostileText } from '@/components/entry/hostile-text'
import { Moment } from '@/components/ui/time'
import type { HistoryStep } from '@/lib/view/findings/finding-history'

/** What became of a finding: found, muted, a setting applied or taken back, gone. */
export function FindingHistory({ steps }: { steps: readonly HistoryStep[] }) {
  return (
    <details className="min-w-0 text-table text-muted">
      <summary className="cursor-pointer">History</summary>
      <ol aria-label="History" className="mt-1 flex flex-col gap-0.5">
        {steps.map(({ at, words, until }) => (
          <li key={`${at} ${words}`} className="flex flex-wrap gap-x-2">
            <Moment at={at} className="tnum min-w-24 whitespace-nowrap" />
            <span className="isolate-text min-w-0 max-w-[80ch] break-words">
              <HostileText text={words} />
              {until !== null && (
                <>
                  {', until '}
                  <Moment at={until} />
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
    </details>
  )
}
