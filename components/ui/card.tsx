import type { ReactNode } from 'react'
import { classes } from './classes'

/** A bordered area with one subject. `aside` is at the right end of the heading. */
export function Card({
  title,
  aside,
  note,
  children,
  className,
  flush = false,
  id,
}: {
  title?: ReactNode
  aside?: ReactNode
  /** A quiet line under the heading: the denominator, the period. */
  note?: ReactNode
  children: ReactNode
  className?: string
  /** Without inner padding, for tables and lists that run to the border. */
  flush?: boolean
  id?: string
}) {
  return (
    <section id={id} className={classes('min-w-0 rounded-card border border-line bg-surface', className)}>
      {title && (
        <header className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
          <div className="min-w-48 flex-1">
            <h2 className="text-body">{title}</h2>
            {note && <p className="text-label text-muted">{note}</p>}
          </div>
          {aside && <div className="flex flex-wrap items-center gap-1">{aside}</div>}
        </header>
      )}
      <div className={flush ? 'pb-1' : classes('px-4 pb-4', !title && 'pt-4')}>{children}</div>
    </section>
  )
}
