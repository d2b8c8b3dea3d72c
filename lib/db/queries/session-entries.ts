import type { Database } from '../client'

/** One entry as lists show it. */
export type EntryLine = {
  readonly seq: number
  readonly line: number
  readonly offset: number
  readonly bytes: number
  readonly type: string
  readonly role: string | null
  readonly id: string | null
  readonly at: number | null
  readonly call: number | null
  readonly tool: string | null
  readonly preview: string | null
  readonly problem: string | null
}

const COLUMNS = `seq, line, "offset", bytes, type, role, "entryId", "at", call, tool, preview, problem`

type Row = [
  seq: number,
  line: number,
  offset: number,
  bytes: number,
  type: string,
  role: string | null,
  id: string | null,
  at: number | null,
  call: number | null,
  tool: string | null,
  preview: string | null,
  problem: string | null,
]

/** The entries with these sequence numbers; those that do not exist are absent. In no particular order. */
export function entriesBySeq(
  database: Database,
  sessionRow: number,
  seqs: readonly number[],
): Map<number, EntryLine> {
  const lines = read(
    database,
    `SELECT json_group_array(json_array(${COLUMNS})) FROM "Entry"
     WHERE "sessionRow" = ? AND seq IN (SELECT value FROM json_each(?))`,
    [sessionRow, JSON.stringify(seqs)],
  )
  return new Map(lines.map((line) => [line.seq, line]))
}

/** The entries `from` to `to` (both included), in order. */
export function entriesBetween(
  database: Database,
  sessionRow: number,
  range: { readonly from: number; readonly to: number },
): EntryLine[] {
  return read(
    database,
    `SELECT json_group_array(json_array(${COLUMNS}))
     FROM (SELECT * FROM "Entry" WHERE "sessionRow" = ? AND seq BETWEEN ? AND ? ORDER BY seq)`,
    [sessionRow, range.from, range.to],
  )
}

/** Sequence numbers of entries whose preview holds `text`, in order; letter case does not matter. */
export function findPreviews(database: Database, sessionRow: number, text: string, limit: number): number[] {
  const { rows } = database.connection.run(
    `SELECT seq FROM "Entry" WHERE "sessionRow" = ? AND instr(lower(preview), lower(?)) > 0 ORDER BY seq LIMIT ?`,
    [sessionRow, text, limit],
  )
  return rows.map((row) => Number(row[0]))
}

function read(database: Database, sql: string, args: readonly (string | number)[]): EntryLine[] {
  const text = database.connection.run(sql, args).rows[0]?.[0]
  if (typeof text !== 'string') return []
  return (JSON.parse(text) as Row[]).map((row) => ({
    seq: row[0],
    line: row[1],
    offset: row[2],
    bytes: row[3],
    type: row[4],
    role: row[5],
    id: row[6],
    at: row[7],
    call: row[8],
    tool: row[9],
    preview: row[10],
    problem: row[11],
  }))
}
