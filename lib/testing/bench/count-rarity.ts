import { scanSpans } from '../../core/relevance/spans'
import { entryText } from '../../core/replay/entry-text'
import { spanKey } from '../../core/replay/span-key'
import { inspectSession } from '../../engine/read/inspect-session'
import type { FoundStore, FoundTranscript, StoreReader } from '../../engine/read/ports'
import { replayOwner } from '../../engine/replay/prepare-session'
import { preparedEntries, preparedPath } from '../../engine/replay/session-entries'
import type { RarityTable } from './rarity-table'

/**
 * Counts which spans a session has, for how rare each is over all sessions. Sessions may come in any order, and again.
 * @throws SourceProblem when it cannot be read
 */
export async function countRarity(
  reader: StoreReader,
  store: FoundStore,
  transcript: FoundTranscript,
  table: RarityTable,
): Promise<void> {
  const session = await inspectSession(reader, store, transcript, { texts: false })
  const owner = replayOwner(session)
  const { cwd } = session.totals
  const known = new Set<string>()
  for await (const { message } of preparedEntries(reader, session, preparedPath(session).entries)) {
    if (message === null) continue
    scanSpans(entryText(message).text, (span) => {
      const key = spanKey(span, cwd)
      if (known.has(key)) return
      known.add(key)
      table.add(owner, key)
    })
  }
}
