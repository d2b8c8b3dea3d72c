import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { classes } from './classes'

export type ButtonKind = 'primary' | 'plain' | 'quiet'

const KINDS: { readonly [K in ButtonKind]: string } = {
  primary: 'bg-accent text-on-accent border-transparent hover:brightness-110',
  plain: 'bg-surface border-line-strong hover:bg-inset',
  quiet: 'border-transparent text-muted hover:bg-inset hover:text-text',
}

/** Classes of a button, for links that look like one. */
export function buttonClasses(kind: ButtonKind, className?: string): string {
  return classes(
    'inline-flex h-8 items-center justify-center gap-1.5 rounded-md border px-2.5 text-table whitespace-nowrap',
    'transition-colors duration-120 disabled:opacity-50',
    KINDS[kind],
    className,
  )
}

export function Button({
  kind = 'plain',
  className,
  children,
  ...rest
}: { kind?: ButtonKind; children: ReactNode } & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button type="button" {...rest} className={buttonClasses(kind, className)}>
      {children}
    </button>
  )
}
