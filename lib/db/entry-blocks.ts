import * as z from 'zod'
import type { EntryFact } from '../core/transcript/entry'
import type { Connection, SqlResult } from './connection'
import { unpackFacts } from './pack-facts'
import { rowsOf } from './rows'

/** Consecutive entries of one session, as they are in the database. */
export type EntryRowBlock = {
  readonly firstSeq: number
  /** Calls whose answers are before this block. */
  readonly callsBefore: number
  readonly facts: readonly EntryFact[]
}

/** Entries that go into one block: enough to be cheap, few enough to be read for the sake of one. */
export const ENTRIES_PER_BLOCK = 64

const ROW = z.object({ firstSeq: z.number(), callsBefore: z.number(), factsJson: z.string() })
const COLUMNS = '"firstSeq", "callsBefore", "factsJson"'

/** The blocks that hold the entries from `from` to `to`, both included, in order; at most `limit`, or all (-1). */
export function readBlocks(
  connection: Connection,
  sessionRow: number,
  from = 0,
  to = Number.MAX_SAFE_INTEGER,
  limit = -1,
): EntryRowBlock[] {
  const answer = connection.run(
    `SELECT ${COLUMNS} FROM "EntryBlock" WHERE "sessionRow" = ?1 AND "firstSeq" <= ?3 AND "firstSeq" >=
       coalesce((SELECT max("firstSeq") FROM "EntryBlock" WHERE "sessionRow" = ?1 AND "firstSeq" <= ?2), ?2)
     ORDER BY "firstSeq" LIMIT ?4`,
    [sessionRow, from, to, limit],
  )
  return blocksOf(answer)
}

/** The blocks that hold any of these entries, in order. */
export function readBlocksOf(
  connection: Connection,
  sessionRow: number,
  seqs: readonly number[],
): EntryRowBlock[] {
  const answer = connection.run(
    `SELECT ${COLUMNS} FROM "EntryBlock" WHERE "sessionRow" = ?1 AND "firstSeq" IN (
       SELECT (SELECT max("firstSeq") FROM "EntryBlock" WHERE "sessionRow" = ?1 AND "firstSeq" <= wanted.value)
       FROM json_each(?2) wanted)
     ORDER BY "firstSeq"`,
    [sessionRow, JSON.stringify(seqs)],
  )
  return blocksOf(answer)
}

function blocksOf(answer: SqlResult): EntryRowBlock[] {
  return rowsOf(ROW, answer).map(({ firstSeq, callsBefore, factsJson }) => ({
    firstSeq,
    callsBefore,
    facts: unpackFacts(factsJson, firstSeq),
  }))
}
