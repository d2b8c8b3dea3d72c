import type { ReactNode } from 'react'
import { classes } from './classes'

export type Tone = 'neutral' | 'ok' | 'attention' | 'danger' | 'accent'

const TONES: { readonly [T in Tone]: string } = {
  neutral: 'border-line text-muted',
  ok: 'border-line text-ok',
  attention: 'border-line bg-attention-soft text-attention',
  danger: 'border-line bg-danger-soft text-danger',
  accent: 'border-line bg-accent-soft text-accent',
}

/** A short word about state. The colour only repeats what the word says. */
export function Badge({
  tone = 'neutral',
  title,
  children,
}: {
  tone?: Tone
  title?: string
  children: ReactNode
}) {
  return (
    <span
      title={title}
      className={classes(
        'inline-flex h-5 items-center gap-1 rounded-sm border px-1.5 text-label whitespace-nowrap',
        TONES[tone],
      )}
    >
      {children}
    </span>
  )
}
