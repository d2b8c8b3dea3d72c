import * as z from 'zod'
import { REPLAY_VERSION } from '../../core/replay/replay-session'
import type { PreparedSessions } from '../../engine/replay/replay-ports'
import type { Connection } from '../connection'
import { rowOf } from '../rows'

const ROW = z.object({ packed: z.instanceof(Uint8Array).or(z.instanceof(ArrayBuffer)) })

const FIND = `SELECT p."packed" FROM "PreparedSession" p JOIN "Session" s ON s."row" = p."sessionRow"
  WHERE s."id" = ? AND p."source" = ? AND p."version" = ?`

const KEEP = `INSERT OR REPLACE INTO "PreparedSession" ("sessionRow", "source", "version", "packed")
  SELECT "row", ?, ?, ? FROM "Session" WHERE "id" = ?`

/** The table of sessions that are ready for replay. What another version made does not count. */
export function preparedSessions(connection: Connection): PreparedSessions {
  return {
    read: (transcriptId, source) => {
      const found = rowOf(ROW, connection.run(FIND, [transcriptId, source, REPLAY_VERSION]))
      return found === null ? null : new Uint8Array(found.packed)
    },
    keep: (transcriptId, source, packed) =>
      connection.write(() => {
        connection.run(KEEP, [source, REPLAY_VERSION, packed, transcriptId])
      }),
  }
}
