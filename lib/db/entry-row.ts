import type { EntryUnits } from '../core/tokens/category'
import type { EntryFact, EntryType } from '../core/transcript/entry'

/** The columns of `Entry` as plain values; times in milliseconds. */
export type EntryRow = {
  readonly seq: number
  readonly line: number
  readonly offset: number | bigint
  readonly bytes: number
  readonly type: string
  readonly role: string | null
  readonly entryId: string | null
  readonly parentId: string | null
  readonly at: number | Date | null
  readonly tool: string | null
  readonly preview: string | null
  readonly problem: string | null
  readonly factJson: string
}

/** Estimator units of an entry, all categories together, as the column `units` holds them. */
export function unitsOf(units: EntryUnits | undefined): number {
  let sum = 0
  for (const category in units) sum += units[category as keyof EntryUnits] ?? 0
  return Math.round(sum)
}

/** What a fact holds beyond the columns, as JSON; `{}` when that is nothing. */
export function factJsonOf(fact: EntryFact): string {
  const {
    seq: _seq,
    line: _line,
    offset: _offset,
    bytes: _bytes,
    type: _type,
    role: _role,
    id: _id,
    parentId: _parentId,
    at: _at,
    toolName: _toolName,
    preview: _preview,
    problem: _problem,
    ...rest
  } = fact
  return JSON.stringify(rest)
}

/** The fact that a row was made from. */
export function factOfRow(row: EntryRow): EntryFact {
  const rest = JSON.parse(row.factJson) as Partial<EntryFact>
  return {
    ...rest,
    seq: row.seq,
    line: row.line,
    offset: Number(row.offset),
    bytes: row.bytes,
    type: row.type as EntryType,
    id: row.entryId,
    parentId: row.parentId,
    at: row.at === null ? null : Number(row.at),
    ...(row.role === null ? {} : { role: row.role }),
    ...(row.tool === null ? {} : { toolName: row.tool }),
    ...(row.preview === null ? {} : { preview: row.preview }),
    ...(row.problem === null ? {} : { problem: row.problem }),
  }
}
