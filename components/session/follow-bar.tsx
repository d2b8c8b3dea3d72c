import { TypedInput } from '@/components/policy/typed-input'
import { Button } from '@/components/ui/button'
import { callNamed } from '@/lib/view/session/scrub'
import { formatCount, formatQuantity } from '@/lib/view/text/format'

/** Which call is shown, whether the page follows the last one, and how many came since it does not. */
export function FollowBar({
  call,
  calls,
  following,
  fresh,
  onFollow,
  onPin,
  onStep,
}: {
  call: number
  calls: number
  following: boolean
  /** Calls that came since the page stopped following. */
  fresh: number
  onFollow: () => void
  onPin: () => void
  onStep: (call: number) => void
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-table">
      <div className="inline-flex items-center rounded-md border border-line bg-surface">
        <Button
          kind="quiet"
          aria-label="Previous call"
          disabled={call <= 1}
          onClick={() => onStep(call - 1)}
          className="px-2"
        >
          ‹
        </Button>
        <span className="tnum min-w-28 text-center" data-testid="call-place">
          {`call ${formatCount(call)}\u202f/\u202f${formatCount(calls)}`}
        </span>
        <Button
          kind="quiet"
          aria-label="Next call"
          disabled={call >= calls}
          onClick={() => onStep(call + 1)}
          className="px-2"
        >
          ›
        </Button>
      </div>
      <TypedInput
        numeric
        aria-label="Go to call"
        placeholder="go to call"
        value=""
        onCommit={(text) => {
          const target = callNamed(text, calls)
          if (target !== null) onStep(target)
        }}
        className="w-24"
      />
      <Button
        kind={following ? 'plain' : 'quiet'}
        aria-pressed={following}
        onClick={following ? onPin : onFollow}
        title={following ? 'New calls are shown as they come' : 'This call stays until you choose another'}
      >
        {following ? 'Following the last call' : 'Pinned · follow the last call'}
      </Button>
      {fresh > 0 && (
        <Button kind="primary" onClick={onFollow} data-testid="new-calls">
          {`${formatQuantity(fresh, 'new call')} ›`}
        </Button>
      )}
      <span className="hidden text-label text-muted lg:inline">
        ←/→ one call, Shift ten; on the scrubber Home and End
      </span>
    </div>
  )
}
