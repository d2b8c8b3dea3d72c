import type { Usage } from '../transcript/entry'
import type { Milliseconds } from '../units/units'

/** How long what was written to a cache stays, since it was last read: as Anthropic is asked for it. */
const [FIVE_MINUTES, HOUR]: readonly [Milliseconds, Milliseconds] = [5 * 60_000, 60 * 60_000]
/** OpenAI names no life: five to ten minutes, and up to an hour when little is asked of it; half an hour since 2026. */
const UNNAMED: Milliseconds = 30 * 60_000

/** How long a session's cache lives: as its writes say, else as the provider keeps it that reads them or not. */
export function cacheLifeOf(usages: readonly (Usage | null)[]): Milliseconds {
  const written = usages.filter((usage) => usage !== null && usage.cacheWrite > 0)
  if (written.length === 0) return UNNAMED
  return written.some((usage) => (usage?.cacheWrite1h ?? 0) > 0) ? HOUR : FIVE_MINUTES
}
