import type { EntryFact } from '../core/transcript/entry'
import type { LocalConnection, SqlValue } from './local-connection'
import { unpackFacts } from './pack-facts'

/** Consecutive entries of one session, as they stand in the database. */
export type EntryBlock = {
  readonly firstSeq: number
  /** Calls whose answers stand before this block. */
  readonly callsBefore: number
  readonly facts: readonly EntryFact[]
}

/** Entries that go into one block: enough to be cheap, few enough to be read for the sake of one. */
export const ENTRIES_PER_BLOCK = 64

const COLUMNS = '"firstSeq", "callsBefore", "factsJson"'

/** The blocks that hold the entries from `from` to `to`, both included, in order; at most `limit`, or all (-1). */
export function readBlocks(
  connection: LocalConnection,
  sessionRow: number,
  from = 0,
  to = Number.MAX_SAFE_INTEGER,
  limit = -1,
): EntryBlock[] {
  const { rows } = connection.run(
    `SELECT ${COLUMNS} FROM "EntryBlock" WHERE "sessionRow" = ?1 AND "firstSeq" <= ?3 AND "firstSeq" >=
       coalesce((SELECT max("firstSeq") FROM "EntryBlock" WHERE "sessionRow" = ?1 AND "firstSeq" <= ?2), ?2)
     ORDER BY "firstSeq" LIMIT ?4`,
    [sessionRow, from, to, limit],
  )
  return rows.map(blockOf)
}

/** The blocks that hold any of these entries, in order. */
export function readBlocksOf(
  connection: LocalConnection,
  sessionRow: number,
  seqs: readonly number[],
): EntryBlock[] {
  const { rows } = connection.run(
    `SELECT ${COLUMNS} FROM "EntryBlock" WHERE "sessionRow" = ?1 AND "firstSeq" IN (
       SELECT (SELECT max("firstSeq") FROM "EntryBlock" WHERE "sessionRow" = ?1 AND "firstSeq" <= wanted.value)
       FROM json_each(?2) wanted)
     ORDER BY "firstSeq"`,
    [sessionRow, JSON.stringify(seqs)],
  )
  return rows.map(blockOf)
}

function blockOf([firstSeq, callsBefore, factsJson]: readonly SqlValue[]): EntryBlock {
  return {
    firstSeq: Number(firstSeq),
    callsBefore: Number(callsBefore),
    facts: unpackFacts(String(factsJson), Number(firstSeq)),
  }
}
