import { type ComponentProps, useDeferredValue } from 'react'
import type { ContextPage } from '@/lib/view/session/context-page'
import { CompositionCard } from './composition-card'

/**
 * The composition of the chosen call, a moment behind it: the scrubber, its call and the cursor on the chart follow a key
 * at once, and bar, treemap and table come when there is time before the next one. Calls that are passed over while a
 * key is held are not drawn here.
 */
export function SteppedComposition({
  composition,
  stale,
  context,
  ...rest
}: Omit<ComponentProps<typeof CompositionCard>, 'whole'> & {
  /** The list of entries that is there, perhaps of another call; null while there is none. */
  readonly context: ContextPage | null
}) {
  const shown = useDeferredValue(composition)
  const isStale = useDeferredValue(stale)
  return (
    <CompositionCard
      {...rest}
      composition={shown}
      stale={isStale}
      whole={context?.call === shown.call ? context.whole : null}
    />
  )
}
