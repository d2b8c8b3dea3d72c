import { runtimeTitle } from '@/lib/view/stores/store-title'

/** A small sign for each runtime: drawn for this list, no maker's logo. On a grid of 16. */
const MARKS: { readonly [kind: string]: string } = {
  openclaw: 'M3 13C3 7 6 3 8 3s5 4 5 10M6 13c0-3 1-5 2-5s2 2 2 5',
  pi: 'M2.5 5h11M5.5 5v8M10.5 5v6a2 2 0 0 0 2 2',
  'claude-code': 'M8 2v12M2.8 5l10.4 6M2.8 11l10.4-6',
  codex: 'M3 5l3.5 3L3 11M8.5 12H13',
  opencode: 'M6 3H3v10h3M10 3h3v10h-3',
}
const OTHER = 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11'

/** Whose session it is; the name is what a pointer and a screen reader find. */
export function RuntimeMark({ kind }: { kind: string }) {
  const name = runtimeTitle(kind)
  return (
    <span title={name} className="shrink-0 text-muted">
      <svg
        role="img"
        aria-label={name}
        viewBox="0 0 16 16"
        width="14"
        height="14"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d={MARKS[kind] ?? OTHER} />
      </svg>
    </span>
  )
}
