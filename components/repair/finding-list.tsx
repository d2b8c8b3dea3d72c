import { Badge, type Tone } from '@/components/ui/badge'
import type { IntegrityView } from '@/lib/view/repair/integrity'
import { formatCount } from '@/lib/view/text/format'

type Group = IntegrityView['groups'][number]

const TONES: { readonly [R in Group['risk']]: Tone } = { high: 'danger', medium: 'attention', low: 'neutral' }

/** Findings by kind: what it is, what comes of it, what repair does, and where. */
export function FindingList({ groups }: { groups: readonly Group[] }) {
  return (
    <ul aria-label="Findings">
      {groups.map((group) => (
        <li key={group.class} className="flex flex-col gap-1 border-t border-line px-4 py-3 first:border-t-0">
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone={TONES[group.risk]}>{`${group.risk} risk`}</Badge>
            <span className="font-medium">{group.title}</span>
            <span className="tnum text-table text-muted">{`× ${formatCount(group.count)}`}</span>
          </p>
          <p className="max-w-[80ch] text-table text-muted">{group.why}</p>
          <details className="text-table">
            <summary className="cursor-pointer text-muted hover:text-text">
              {`${/^\d+$/.test(group.lines) ? 'Line' : 'Lines'} ${short(group.lines)}`}
            </summary>
            <ul className="mt-1 flex flex-col gap-0.5">
              {group.shown.map((finding) => (
                <li key={`${finding.line} ${finding.entryId} ${finding.fix}`}>
                  <span className="tnum">{`Line ${finding.line}`}</span>
                  {finding.entryId !== null && (
                    <code className="isolate-text ml-2 text-label text-muted">{finding.entryId}</code>
                  )}
                  <span className="isolate-text ml-2 break-words">{finding.fix ?? 'cannot be repaired'}</span>
                </li>
              ))}
              {group.count > group.shown.length && (
                <li className="text-muted">{`and ${formatCount(group.count - group.shown.length)} more`}</li>
              )}
            </ul>
          </details>
        </li>
      ))}
    </ul>
  )
}

function short(lines: string): string {
  return lines.length > 60 ? `${lines.slice(0, 59)}…` : lines
}
