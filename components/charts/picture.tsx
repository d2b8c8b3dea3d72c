import type { ReactNode } from 'react'

type Sized = { readonly width: number | string; readonly height: number; readonly children: ReactNode }

/** A drawing that can be saved. `label` says what it shows, and that its numbers are in a table as well. */
export function Picture({
  label,
  text = 'text-label',
  children,
  ...size
}: Sized & { readonly label: string; readonly text?: 'text-label' | 'text-table' }) {
  return (
    <svg data-export role="img" aria-label={label} {...size} className={`block ${text}`}>
      {children}
    </svg>
  )
}

/** The same for a drawing that is described where it is placed: here it is passed over. */
export function SilentPicture({
  width,
  height,
  className,
  children,
}: Sized & { readonly width: number; readonly className: string }) {
  const viewBox = `0 0 ${width} ${height}`
  return (
    <svg data-export {...{ width, height, viewBox }} aria-hidden="true" className={className}>
      {children}
    </svg>
  )
}
