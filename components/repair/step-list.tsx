import { Badge } from '@/components/ui/badge'
import type { IntegrityStep } from '@/lib/view/repair/integrity'
import { formatCount } from '@/lib/view/text/format'
import { visibleLine } from '@/lib/view/text/visible-text'

const KINDS: { readonly [K in IntegrityStep['kind']]: string } = {
  change: 'changed',
  drop: 'dropped',
  insert: 'put in',
  move: 'moved',
}

/** Each entry that a repair touches: what is there, and what will. */
export function StepList({ steps }: { steps: readonly IntegrityStep[] }) {
  return (
    <ol aria-label="Changes">
      {steps.map((step) => (
        <li
          key={`${step.kind} ${step.line} ${step.entryId}`}
          className="flex flex-col gap-1.5 border-t border-line px-4 py-3 first:border-t-0"
        >
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-table">
            <span className="tnum font-medium">{`Line ${formatCount(step.line)}`}</span>
            <Badge>{KINDS[step.kind]}</Badge>
            {step.role !== null && <span className="isolate-text text-muted">{visibleLine(step.role)}</span>}
            <span className="isolate-text">{step.reason}</span>
          </p>
          {step.before !== null && <Side sign="−" label="before" text={step.before} tone="text-danger" />}
          {step.after !== null && step.kind !== 'move' && (
            <Side sign="+" label="after" text={step.after} tone="text-ok" />
          )}
        </li>
      ))}
    </ol>
  )
}

function Side({ sign, label, text, tone }: { sign: string; label: string; text: string; tone: string }) {
  return (
    <div className="flex min-w-0 gap-2 rounded-md bg-inset px-2 py-1">
      <span className={tone} aria-hidden="true">
        {sign}
      </span>
      <span className="sr-only">{label}</span>
      <code className="isolate-text min-w-0 text-label break-all whitespace-pre-wrap">
        {visibleLine(text)}
      </code>
    </div>
  )
}
