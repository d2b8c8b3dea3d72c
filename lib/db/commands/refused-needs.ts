import * as z from 'zod'
import type { RefusedNeeds } from '../../engine/replay/replay-ports'
import type { Connection } from '../connection'
import { insertInto } from '../insert-into'
import { rowsOf } from '../rows'

const NEED = z.object({ transcriptId: z.string(), entry: z.number(), text: z.string() })
const REFUSE = insertInto('RefusedNeed', 'transcriptId entry text at', 'INSERT OR REPLACE')

/** The table of what the operator said is no need. */
export function refusedNeeds(connection: Connection): RefusedNeeds {
  return {
    of: (transcriptId) =>
      rowsOf(
        NEED,
        connection.run(
          `SELECT "transcriptId", "entry", "text" FROM "RefusedNeed" WHERE "transcriptId" = ? ORDER BY "entry", "text"`,
          [transcriptId],
        ),
      ),
    refuse: ({ transcriptId, entry, text }, at) =>
      connection.write(() => {
        connection.run(REFUSE, [transcriptId, entry, text, at])
      }),
    takeBack: ({ transcriptId, entry, text }) =>
      connection.write(
        () =>
          connection.run(
            `DELETE FROM "RefusedNeed" WHERE "transcriptId" = ? AND "entry" = ? AND "text" = ?`,
            [transcriptId, entry, text],
          ).rowsAffected > 0,
      ),
  }
}
