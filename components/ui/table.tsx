import type { ReactNode } from 'react'
import { classes } from './classes'

/** Attributes of an area that scrolls: it must take the focus, or it cannot be scrolled without a mouse. */
export function scrollRegion(label: string) {
  return { role: 'region', tabIndex: 0, 'aria-label': label } as const
}

/** A plain table for figures. Wide ones scroll inside their own area, which the keyboard can reach. */
export function Table({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    // What is there for readers alone is placed within it, and makes the page no wider.
    <div {...scrollRegion(caption)} className="relative overflow-x-auto">
      <table className="w-full border-collapse text-table">
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </div>
  )
}

export function Th({
  children,
  numeric = false,
  scope = 'col',
  className,
}: {
  children?: ReactNode
  numeric?: boolean
  scope?: 'col' | 'row'
  className?: string
}) {
  return (
    <th
      scope={scope}
      className={classes(
        'px-2 py-1.5 first:pl-4 last:pr-4',
        scope === 'col' && 'border-b border-line text-label font-medium text-muted',
        scope === 'row' && 'font-normal',
        numeric ? 'text-right' : 'text-left',
        className,
      )}
    >
      {children}
    </th>
  )
}

export function Td({
  children,
  numeric = false,
  className,
}: {
  children?: ReactNode
  numeric?: boolean
  className?: string
}) {
  return (
    <td
      className={classes(
        'px-2 py-1.5 first:pl-4 last:pr-4',
        numeric ? 'tnum text-right' : 'text-left',
        className,
      )}
    >
      {children}
    </td>
  )
}

/** Rows part by a hairline; the last has none. */
export function Tr({ children, className }: { children: ReactNode; className?: string }) {
  return <tr className={classes('border-b border-line last:border-0', className)}>{children}</tr>
}

/** Heads of columns: first those of text, then those of figures. */
export function Heads({
  text = [],
  numbers = [],
}: {
  text?: readonly string[]
  numbers?: readonly string[]
}) {
  return (
    <thead>
      <tr>
        {text.map((name) => (
          <Th key={name}>{name}</Th>
        ))}
        {numbers.map((name) => (
          <Th key={name} numeric>
            {name}
          </Th>
        ))}
      </tr>
    </thead>
  )
}
