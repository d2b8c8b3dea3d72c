import type { ReactNode } from 'react'
import { AlertGlyph } from './glyphs'

/** Something failed: what, why, and what can be done about it. */
export function ErrorState({
  title,
  detail,
  action,
}: {
  title: string
  detail: ReactNode
  action?: ReactNode
}) {
  return (
    <div
      role="alert"
      className="flex flex-col items-start gap-2 rounded-card border border-line bg-surface p-4"
    >
      <p className="flex items-center gap-2 font-medium text-danger">
        <AlertGlyph />
        {title}
      </p>
      <div className="isolate-text max-w-[80ch] text-table whitespace-pre-wrap">{detail}</div>
      {action}
    </div>
  )
}
