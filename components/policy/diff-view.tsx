import { classes } from '@/components/ui/classes'
import { scrollRegion } from '@/components/ui/table'
import { type DiffLine, diffLines, diffSections } from '@/lib/view/policy/line-diff'
import { withoutSecrets } from '@/lib/view/policy/policy-secrets'

const SIGNS = { same: ' ', removed: '−', added: '+' } as const
const WORDS = { same: '', removed: 'removed', added: 'added' } as const

/** What changes in a file, line by line, with a few lines around each change. Credentials are covered. */
export function DiffView({ before, after, file }: { before: string; after: string; file: string }) {
  const lines = diffLines(withoutSecrets(before, file), withoutSecrets(after, file))
  const sections = diffSections(lines)
  const added = lines.filter((line) => line.kind === 'added').length
  const removed = lines.filter((line) => line.kind === 'removed').length
  if (added + removed === 0) {
    return <p className="text-table text-muted">Nothing is different.</p>
  }
  return (
    <div data-testid="diff">
      <p className="tnum mb-1 text-label text-muted">{`${removed} lines removed, ${added} added`}</p>
      <div
        {...scrollRegion('Changes, line by line')}
        className="max-h-[45dvh] overflow-auto rounded-md border border-line bg-page font-mono text-[12.5px] leading-[20px]"
      >
        <table className="w-max min-w-full border-collapse">
          <caption className="sr-only">Changes, line by line</caption>
          <tbody>
            {sections.map((section) =>
              section.kind === 'skipped' ? (
                <tr key={`skipped ${section.from}`} className="text-muted">
                  <td colSpan={4} className="px-3 font-sans text-label">
                    {`… ${section.count} lines as they are`}
                  </td>
                </tr>
              ) : (
                section.lines.map((line) => <Line key={`${line.before} ${line.after}`} line={line} />)
              ),
            )}
          </tbody>
        </table>
      </div>
    </div>
  )
}

function Line({ line }: { line: DiffLine }) {
  return (
    <tr
      className={classes(line.kind === 'removed' && 'bg-danger-soft', line.kind === 'added' && 'bg-ok-soft')}
    >
      <td className="tnum w-10 px-2 text-right text-muted select-none">{line.before}</td>
      <td className="tnum w-10 px-2 text-right text-muted select-none">{line.after}</td>
      <td className="w-4 select-none">
        <span aria-hidden="true">{SIGNS[line.kind]}</span>
        <span className="sr-only">{WORDS[line.kind]}</span>
      </td>
      <td className="pr-3 whitespace-pre">{line.text}</td>
    </tr>
  )
}
