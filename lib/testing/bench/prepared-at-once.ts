import { ReplayPreparer } from '../../core/replay/prepare-replay'
import type { ReplayEntry } from '../../core/replay/replay-entry'
import type { ReplaySession } from '../../core/replay/replay-session'
import type { ReplaySource } from '../../core/replay/replay-source'

/** Makes a session ready for replay whose entries are in memory. */
export function preparedAtOnce(source: ReplaySource, entries: Iterable<ReplayEntry>): ReplaySession {
  const preparer = new ReplayPreparer(source)
  for (const entry of entries) preparer.take(entry)
  return preparer.finish()
}
