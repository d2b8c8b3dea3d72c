import { AlertGlyph } from '@/components/ui/glyphs'

/** Says on every page who besides the operator may decide or look, and what was not obeyed for that reason. */
export function SafetyBanner({ notices }: { notices: readonly string[] }) {
  if (notices.length === 0) return null
  return (
    <ul aria-label="Safety of this dashboard">
      {notices.map((text) => (
        <li
          key={text}
          className="flex items-start gap-2 border-b border-line bg-attention-soft px-3 py-1.5 text-table md:px-4"
        >
          <span className="mt-0.5 text-attention">
            <AlertGlyph />
          </span>
          <span className="isolate-text min-w-0 [overflow-wrap:anywhere]">{text}</span>
        </li>
      ))}
    </ul>
  )
}
