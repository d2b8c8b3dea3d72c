import { Moment } from '@/components/ui/time'
import type { LimitView, StepView } from '@/lib/view/maintenance/maintenance'
import { formatBytes, formatCount, formatQuantity } from '@/lib/view/text/format'

/** What each limit would remove, and why; the steps open below it. */
export function PlanRules({ rules }: { rules: readonly LimitView[] }) {
  if (rules.length === 0) return null
  return (
    <ul aria-label="What would go" className="flex flex-col gap-2">
      {rules.map((rule) => (
        <li key={rule.rule} className="rounded-md border border-line">
          <details className="group">
            <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-3 gap-y-1 px-3 py-2 text-table">
              <span
                aria-hidden="true"
                className="text-muted transition-transform duration-120 group-open:rotate-90"
              >
                ›
              </span>
              <span className="font-medium">{rule.label}</span>
              <span className="min-w-0 flex-1 text-muted">{rule.why}</span>
              <span className="tnum whitespace-nowrap">
                {formatQuantity(rule.count, 'step')}
                {rule.bytes > 0 && `, ${formatBytes(rule.bytes)}`}
              </span>
            </summary>
            <ul className="flex flex-col gap-1 border-t border-line px-3 py-2 text-table">
              {rule.steps.map((step) => (
                <Step key={step.key} step={step} />
              ))}
              {rule.more > 0 && (
                <li className="text-muted">{`… and ${formatCount(rule.more)} more; plimsoll maintain --json lists all`}</li>
              )}
            </ul>
          </details>
        </li>
      ))}
    </ul>
  )
}

function Step({ step }: { step: StepView }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3">
      <code className="isolate-text min-w-0 text-label break-all">{step.what}</code>
      <span className="text-muted">
        {step.does}
        {step.bytes !== null && `, ${formatBytes(step.bytes)}`}
        {step.usedAt !== null && (
          <>
            {', used '}
            <Moment at={step.usedAt} />
          </>
        )}
      </span>
    </li>
  )
}
