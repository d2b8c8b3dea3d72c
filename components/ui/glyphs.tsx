import type { ReactNode } from 'react'

/** Line glyphs on a 16 px grid, drawn in the colour of the text around them. All are decoration: a word stands beside each. */
function Glyph({ children }: { children: ReactNode }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      className="shrink-0"
    >
      {children}
    </svg>
  )
}

export function AlertGlyph() {
  return (
    <Glyph>
      <path d="M8 2 14.5 13.5h-13zM8 6.5v3M8 11.6v.1" />
    </Glyph>
  )
}

export function CheckGlyph() {
  return (
    <Glyph>
      <path d="m3 8.5 3.2 3.2L13 4.8" />
    </Glyph>
  )
}

export function CrossGlyph() {
  return (
    <Glyph>
      <path d="m4 4 8 8M12 4l-8 8" />
    </Glyph>
  )
}

export function SearchGlyph() {
  return (
    <Glyph>
      <circle cx="7" cy="7" r="4.2" />
      <path d="m10.2 10.2 3.3 3.3" />
    </Glyph>
  )
}

export function OverviewGlyph() {
  return (
    <Glyph>
      <path d="M2 13h12M3.5 10V7M8 10V3M12.5 10V5.5" />
    </Glyph>
  )
}

export function SessionsGlyph() {
  return (
    <Glyph>
      <path d="M2.5 4h11M2.5 8h11M2.5 12h7" />
    </Glyph>
  )
}

export function StoresGlyph() {
  return (
    <Glyph>
      <ellipse cx="8" cy="4" rx="5.2" ry="2" />
      <path d="M2.8 4v8c0 1.1 2.3 2 5.2 2s5.2-.9 5.2-2V4M2.8 8c0 1.1 2.3 2 5.2 2s5.2-.9 5.2-2" />
    </Glyph>
  )
}

export function HelpGlyph() {
  return (
    <Glyph>
      <circle cx="8" cy="8" r="6" />
      <path d="M6.2 6.3c.2-1 1-1.5 1.9-1.5 1 0 1.8.7 1.8 1.6 0 1.4-1.9 1.4-1.9 2.7M8 11.2v.1" />
    </Glyph>
  )
}

export function SunGlyph() {
  return (
    <Glyph>
      <circle cx="8" cy="8" r="2.8" />
      <path d="M8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9" />
    </Glyph>
  )
}

export function MoonGlyph() {
  return (
    <Glyph>
      <path d="M13 9.6A5.5 5.5 0 0 1 6.4 3a5.5 5.5 0 1 0 6.6 6.6z" />
    </Glyph>
  )
}

export function SystemGlyph() {
  return (
    <Glyph>
      <rect x="2" y="3" width="12" height="8" rx="1" />
      <path d="M6 13.5h4" />
    </Glyph>
  )
}

export function SortGlyph({ direction }: { direction: 'asc' | 'desc' }) {
  return (
    <Glyph>
      <path d={direction === 'asc' ? 'M8 13V3M4.5 6.5 8 3l3.5 3.5' : 'M8 3v10M4.5 9.5 8 13l3.5-3.5'} />
    </Glyph>
  )
}

export function DownloadGlyph() {
  return (
    <Glyph>
      <path d="M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13.5h10" />
    </Glyph>
  )
}

export function PoliciesGlyph() {
  return (
    <Glyph>
      <path d="M2 4.5h5M11 4.5h3M2 11.5h3M9 11.5h5" />
      <circle cx="9" cy="4.5" r="2" />
      <circle cx="7" cy="11.5" r="2" />
    </Glyph>
  )
}

export function UndoGlyph() {
  return (
    <Glyph>
      <path d="M5.5 3 2.5 6l3 3M2.5 6H10a3.5 3.5 0 0 1 0 7H7" />
    </Glyph>
  )
}

export function RedoGlyph() {
  return (
    <Glyph>
      <path d="m10.5 3 3 3-3 3M13.5 6H6a3.5 3.5 0 0 0 0 7h3" />
    </Glyph>
  )
}

export function AuditGlyph() {
  return (
    <Glyph>
      <path d="M3.5 2h9v12h-9zM6 5h4M6 8h4M6 11h2" />
    </Glyph>
  )
}

export function JobsGlyph() {
  return (
    <Glyph>
      <path d="M2.5 4h5M2.5 8h8M2.5 12h3M11 10.5l3 2-3 2z" />
    </Glyph>
  )
}

export function ColdGlyph() {
  return (
    <Glyph>
      <path d="M8 1.5v13M2.4 4.75l11.2 6.5M13.6 4.75 2.4 11.25M6 2.8 8 4.5l2-1.7M6 13.2l2-1.7 2 1.7" />
    </Glyph>
  )
}

export function ActivityGlyph() {
  return (
    <Glyph>
      <path d="M1.5 8.5h3l2-5 3 9.5 2-4.5h3" />
    </Glyph>
  )
}

export function MemoryGlyph() {
  return (
    <Glyph>
      <path d="M4 2.5h8v11l-4-3.5-4 3.5zM6.5 5.5h3" />
    </Glyph>
  )
}
