/** The Plimsoll line: a circle crossed by a bar. Logo, and the glyph of a load line. */
export function PlimsollMark({ size = 20, className }: { size?: number; className?: string }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.2"
      strokeLinecap="round"
      className={className}
      aria-hidden="true"
      focusable="false"
    >
      <circle cx="12" cy="12" r="6.6" />
      <path d="M1.5 12h21" />
    </svg>
  )
}
