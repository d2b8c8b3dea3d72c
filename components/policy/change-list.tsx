import type { PolicyChange } from '@/lib/view/policy/policy-values'

/** Which values change, from what to what. */
export function ChangeList({ changes }: { changes: readonly PolicyChange[] }) {
  if (changes.length === 0) {
    return (
      <p className="text-table text-muted">No value of the policy changes; only the text of the file does.</p>
    )
  }
  return (
    <ul aria-label="Changed values" className="flex flex-col gap-1 text-table">
      {changes.map(({ path, label, before, after }) => (
        <li key={path} className="flex flex-wrap items-baseline gap-x-2">
          <span>{label}</span>
          <code className="isolate-text text-label text-muted">{path}</code>
          <span className="tnum ml-auto">
            <span className="text-muted">{before}</span>
            {' → '}
            <span className="font-medium">{after}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
