import type { ComponentProps } from 'react'
import { usePaced } from '@/components/ui/use-paced'
import type { ContextPage } from '@/lib/view/session/context-page'
import { CompositionCard } from './composition-card'

/** Drawing it takes as long as all the rest of a step, and more than ten of them in a second cannot be read. Milliseconds. */
const PACE_MS = 100

/**
 * The composition of the chosen call. A single step changes it at once; while a key is held or the scrubber is dragged, the
 * call and the cursor on the chart follow each step, and bar, treemap and table ten times a second.
 */
export function SteppedComposition({
  composition,
  context,
  ...rest
}: Omit<ComponentProps<typeof CompositionCard>, 'whole'> & {
  /** The list of entries that is there, perhaps of another call; null while there is none. */
  readonly context: ContextPage | null
}) {
  const shown = usePaced(composition, PACE_MS)
  return (
    <CompositionCard
      {...rest}
      composition={shown}
      whole={context?.call === shown.call ? context.whole : null}
    />
  )
}
