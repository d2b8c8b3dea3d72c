import type { ReactNode } from 'react'
import { CheckGlyph, CrossGlyph } from './glyphs'

/** A place that was looked at, as printed on empty screens. */
export type ProbedPath = {
  readonly path: string
  readonly kind: string
  readonly found: boolean
  readonly problem?: string
}

/** Nothing to show: says why, what was tried, and what to do now. */
export function EmptyState({
  title,
  children,
  probes = [],
  action,
}: {
  title: string
  children?: ReactNode
  probes?: readonly ProbedPath[]
  action?: ReactNode
}) {
  return (
    <div className="flex max-w-[80ch] flex-col items-start gap-4 py-2">
      <div>
        <p className="text-title font-semibold">{title}</p>
        {children && <div className="mt-1 text-muted">{children}</div>}
      </div>
      {action}
      {probes.length > 0 && <ProbeList probes={probes} />}
    </div>
  )
}

/** Every path that was probed, with the word found or not found. */
export function ProbeList({ probes }: { probes: readonly ProbedPath[] }) {
  return (
    <div className="w-full min-w-0">
      <h3 className="mb-1 text-label font-medium text-muted">Probed paths</h3>
      <ul className="flex flex-col gap-1 text-table">
        {probes.map((probe) => (
          <li key={`${probe.kind} ${probe.path}`} className="flex items-start gap-2">
            <span className={probe.found ? 'mt-0.5 text-ok' : 'mt-0.5 text-muted'}>
              {probe.found ? <CheckGlyph /> : <CrossGlyph />}
            </span>
            <span className="min-w-0">
              <code className="isolate-text">{probe.path}</code>
              <span className="text-muted">{` · ${probe.kind} · ${probe.found ? 'found' : 'not found'}`}</span>
              {probe.problem && <span className="text-attention">{` · ${probe.problem}`}</span>}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
