import { classes } from '@/components/ui/classes'
import { AlertGlyph } from '@/components/ui/glyphs'
import type { PolicyProblem } from '@/lib/view/policy/policy-reading'

/** What is wrong with a file, each with its line and key; a line can be jumped to. */
export function ProblemList({
  problems,
  onLine,
}: {
  problems: readonly PolicyProblem[]
  onLine?: (line: number) => void
}) {
  if (problems.length === 0) return null
  return (
    <ul aria-label="Problems" className="flex flex-col gap-1.5 px-3 py-2 text-table">
      {problems.map(({ severity, message, lines, key }) => (
        <li key={`${lines.join()} ${key} ${message}`} className="flex items-start gap-2">
          <span
            className={classes('mt-0.5', severity === 'error' ? 'text-danger' : 'text-attention')}
            title={severity}
          >
            <AlertGlyph />
          </span>
          <span className="min-w-0">
            {lines.map((line) => (
              <LineLink key={line} line={line} onLine={onLine} />
            ))}
            {key !== '' && <code className="isolate-text">{`${key}: `}</code>}
            <span className="isolate-text">{message}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** `line 12`, leading there where it can. */
export function LineLink({ line, onLine }: { line: number; onLine?: ((line: number) => void) | undefined }) {
  if (onLine === undefined) return <span className="tnum mr-1.5 text-muted">{`line ${line}`}</span>
  return (
    <button
      type="button"
      onClick={() => onLine(line)}
      className="tnum mr-1.5 text-accent underline decoration-1 underline-offset-2"
    >
      {`line ${line}`}
    </button>
  )
}
