import type { ReactNode } from 'react'
import { type ProbedPath, ProbeList } from './probe-list'

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
        <h2 className="text-title">{title}</h2>
        {children && <div className="mt-1 text-muted">{children}</div>}
      </div>
      {action}
      {probes.length > 0 && (
        <div className="w-full min-w-0">
          <h3 className="mb-1 text-label font-medium text-muted">Probed paths</h3>
          <ProbeList probes={probes} />
        </div>
      )}
    </div>
  )
}
