import { HostileText } from '@/components/entry/hostile-text'
import { Badge } from '@/components/ui/badge'
import type { LossesView, LossGroup } from '@/lib/view/compaction/losses'
import { formatCount, formatPercent, formatQuantity } from '@/lib/view/text/format'

/** What is lost by name, grouped by class; what the model wrote again later is first. */
export function LossesList({
  losses,
  later,
  onOpen,
}: {
  losses: LossesView
  /** What came after the compaction was examined. */
  later: boolean
  /** Opens the source of an entry. */
  onOpen: (seq: number) => void
}) {
  const { before, lost, back, groups, sentences, moreSentences } = losses
  if (before === 0) return <p className="text-table text-muted">Nothing that has a name was there.</p>
  const open = groups.filter((group) => group.lost > 0)
  return (
    <div className="flex flex-col gap-2">
      <p className="tnum max-w-[80ch] text-table">
        {lost === 0
          ? `None of ${formatQuantity(before, 'name')} is lost: each is in the summary or in what stays`
          : `${formatCount(lost)} of ${formatQuantity(before, 'name')} (${formatPercent(lost / before)}) ${lost === 1 ? 'is' : 'are'} nowhere in the context any more`}
        {later &&
          lost > 0 &&
          `; ${back === 0 ? 'none of them' : formatCount(back)} came back in what the model wrote later`}
        .
      </p>
      {open.map((group) => (
        <Group key={group.kind} group={group} onOpen={onOpen} />
      ))}
      {sentences.length > 0 && (
        <details className="text-table">
          <summary className="cursor-pointer">
            {`Decisions and open requests`}
            <span className="tnum ml-2 text-muted">{formatCount(sentences.length + moreSentences)}</span>
          </summary>
          <ul className="mt-1 flex flex-col gap-1">
            {sentences.map(({ kind, text, at }) => (
              <li key={`${at.line} ${text}`} className="flex items-start gap-2">
                <Badge>{kind === 'ask' ? 'request' : kind}</Badge>
                <span className="isolate-text min-w-0 flex-1 break-words">
                  <HostileText text={text} />
                </span>
                <Line at={at} onOpen={onOpen} />
              </li>
            ))}
            {moreSentences > 0 && <li className="text-muted">{`and ${formatCount(moreSentences)} more`}</li>}
          </ul>
        </details>
      )}
    </div>
  )
}

function Group({ group, onOpen }: { group: LossGroup; onOpen: (seq: number) => void }) {
  const { label, before, lost, back, names } = group
  return (
    <details className="text-table" open={back > 0}>
      <summary className="cursor-pointer">
        {label}
        <span className="tnum ml-2 text-muted">{`${formatCount(lost)} of ${formatCount(before)}`}</span>
        {back > 0 && <span className="tnum ml-2 text-attention">{`${formatCount(back)} came back`}</span>}
      </summary>
      <ul className="mt-1 flex flex-col gap-0.5">
        {names.map(({ text, times, at, cameBack }) => (
          <li key={text} className="flex flex-wrap items-baseline gap-x-2">
            <code className="isolate-text min-w-0 text-label break-all">
              <HostileText text={text} />
            </code>
            <span className="tnum text-label text-muted">
              {times > 1 ? `in ${formatCount(times)} entries` : ''}
            </span>
            <span className="ml-auto flex items-baseline gap-2">
              <Line at={at} onOpen={onOpen} />
              {cameBack !== null && (
                <span className="text-label text-attention">
                  came back, <Line at={cameBack} onOpen={onOpen} />
                </span>
              )}
            </span>
          </li>
        ))}
        {lost > names.length && (
          <li className="text-muted">{`and ${formatCount(lost - names.length)} more`}</li>
        )}
      </ul>
    </details>
  )
}

function Line({
  at,
  onOpen,
}: {
  at: { readonly line: number; readonly seq: number | null }
  onOpen: (seq: number) => void
}) {
  const { line, seq } = at
  const words = `line ${formatCount(line)}`
  if (seq === null) return <span className="tnum text-label text-muted">{words}</span>
  return (
    <button
      type="button"
      onClick={() => onOpen(seq)}
      className="tnum text-label whitespace-nowrap text-accent hover:underline"
    >
      {words}
    </button>
  )
}
