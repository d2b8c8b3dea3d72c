import type { PolicyWindow } from '../../core/budget/guard'
import type { Tokens } from '../../core/units/units'
import { formatCount } from '../text/format'

/** The window in force, and the one that the lines of a runtime are in. */
type BelievedFacts = {
  /** Where the runtime compacts, in tokens; null: nowhere. */
  readonly line: Tokens | null
  readonly believed: Pick<PolicyWindow, 'tokens' | 'source'>
  /** What the runtime is called. */
  readonly by: string
  readonly window: Pick<PolicyWindow, 'tokens' | 'source'>
}

/**
 * Both windows by name, e.g. `compacts at 49,152 of the 65,536 that OpenClaw 2026.9 believes in; the provider cuts at
 * 4,096`.
 */
export function believedWords({ line, believed, by, window }: BelievedFacts): string {
  const acts = line === null ? 'never compacts by itself in' : `compacts at ${formatCount(line)} of`
  const whose = believed.source === 'default' ? `that are assumed for ${by}` : `that ${by} believes in`
  const proved = window.source === 'cut' ? 'the provider cuts at' : 'the provider took'
  return `${acts} the ${formatCount(believed.tokens)} ${whose}; ${proved} ${formatCount(window.tokens)}`
}
