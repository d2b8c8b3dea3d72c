'use client'

import { TypedInput } from '@/components/policy/typed-input'
import { Button } from '@/components/ui/button'
import { formatCount } from '@/lib/view/text/format'

/** The call of a plan; null is the next one. */
export function CallKnob({
  call,
  calls,
  onCall,
}: {
  call: number | null
  calls: number
  onCall: (call: number | null) => void
}) {
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line pt-2 text-table">
      <span className="min-w-0 flex-1 font-medium">
        At call
        <span className="ml-2 text-label font-normal text-muted">
          {call === null ? 'the next one' : `of ${formatCount(calls)}; dry run only`}
        </span>
      </span>
      <TypedInput
        numeric
        aria-label="At call"
        placeholder="next"
        value={call === null ? '' : String(call)}
        onCommit={(text) => {
          const number = Number(text.trim())
          const isCall = Number.isInteger(number) && number >= 1 && number <= calls
          onCall(isCall ? number : null)
        }}
        className="w-24"
      />
      {call !== null && (
        <Button kind="quiet" onClick={() => onCall(null)}>
          Next
        </Button>
      )}
    </div>
  )
}
