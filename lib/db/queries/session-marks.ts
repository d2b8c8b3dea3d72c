import * as z from 'zod'
import { maskSecrets } from '../../core/redaction/secrets'
import type { CompactionRecord } from '../../core/transcript/compaction-record'
import type { Database } from '../client'
import { FLAG, rowsOf } from '../rows'

const COMPACTION = z.object({
  seq: z.number(),
  at: z.number().nullable(),
  kind: z.enum(['compaction', 'reset', 'provider']),
  afterCall: z.number(),
  tokensBefore: z.number().nullable(),
  tokensAfter: z.number().nullable(),
  fromHook: FLAG,
  preview: z.string().nullable(),
})
const COLUMNS = Object.keys(COMPACTION.shape)
  .map((name) => `"${name}"`)
  .join(', ')

/** Compactions and resets of a session, in the order of the file. */
export function readCompactions(
  { connection }: Pick<Database, 'connection'>,
  sessionRow: number,
): CompactionRecord[] {
  const answer = connection.run(`SELECT ${COLUMNS} FROM "Compaction" WHERE "sessionRow" = ? ORDER BY "seq"`, [
    sessionRow,
  ])
  return rowsOf(COMPACTION, answer).map((row) => ({
    ...row,
    preview: row.preview === null ? null : maskSecrets(row.preview),
  }))
}
