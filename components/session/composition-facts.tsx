import { CATEGORY_VIEWS } from '@/lib/view/charts/category'
import { type Composition, drivers } from '@/lib/view/session/composition'
import { callCostText } from '@/lib/view/text/cost'
import { formatCount } from '@/lib/view/text/format'
import { signedCount } from '@/lib/view/text/signed'

/** What else is known of the call: what changed most, its answer, the cache, the cost, how it ended. */
export function CompositionFacts({ composition }: { composition: Composition }) {
  const { call, output, cacheRead, cacheWrite, stopReason } = composition
  const changed = drivers(composition).slice(0, 3)
  return (
    <dl className="tnum flex flex-wrap gap-x-6 gap-y-1 border-t border-line px-4 pt-2 pb-3 text-label">
      {call > 1 && (
        <Fact name={`Δ since call ${formatCount(call - 1)}`}>
          {composition.delta === null
            ? 'unknown'
            : changed.length === 0
              ? 'nothing changed'
              : changed
                  .map(
                    ({ category, delta }) =>
                      `${signedCount(delta)} ${CATEGORY_VIEWS[category].label.toLowerCase()}`,
                  )
                  .join(', ')}
        </Fact>
      )}
      <Fact name="Output">{tokens(output)}</Fact>
      <Fact name="Cache read">{tokens(cacheRead)}</Fact>
      <Fact name="Cache write">{tokens(cacheWrite)}</Fact>
      <Fact name="Cost">{callCostText(composition)}</Fact>
      {stopReason !== null && <Fact name="Ended with">{stopReason}</Fact>}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div className="flex gap-1.5">
      <dt className="text-muted">{name}</dt>
      <dd className="isolate-text">{children}</dd>
    </div>
  )
}

/** Unknown is said, never shown as 0. */
function tokens(value: number | null): string {
  return value === null ? '?' : formatCount(value)
}
