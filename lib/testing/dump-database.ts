import { isCall } from '../core/transcript/context'
import { readCallBlocks } from '../db/call-blocks'
import type { Connection } from '../db/connection'
import { readBlocks } from '../db/entry-blocks'

const CHILDREN = ['OddEntry', 'FailedCall', 'Compaction', 'SessionDay', 'Finding', 'SessionSigns'] as const

// Numbers that depend on when something was imported, not on what.
const INCIDENTAL = new Set(['row', 'sessionRow', 'revision', 'stamp', 'cursorJson', 'foundAt'])

type Dump = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** All content of the import's tables in a form that two databases with the same content share. */
export function dumpDatabase(connection: Connection): Dump {
  const idOf = new Map(
    connection.run('SELECT "row", "id" FROM "Session"').rows.map(([row, id]) => [row, String(id)]),
  )
  const dump: Record<string, Record<string, unknown>[]> = { Session: dumpTable(connection, 'Session', idOf) }
  for (const table of CHILDREN) dump[table] = dumpTable(connection, table, idOf)
  dump.Entry = sortedByKey(
    [...idOf].flatMap(([row, session]) => dumpEntries(connection, Number(row), session)),
  )
  dump.Call = sortedByKey(
    [...idOf].flatMap(([row, session]) =>
      readCallBlocks(connection, Number(row)).map((call) => ({ session, ...call })),
    ),
  )
  return dump
}

function dumpTable(
  connection: Connection,
  table: string,
  idOf: ReadonlyMap<unknown, string>,
): Record<string, unknown>[] {
  const { columns, rows } = connection.run(`SELECT * FROM "${table}"`)
  const dumped = rows.map((row) => {
    const item: Record<string, unknown> = {}
    columns.forEach((column, i) => {
      const value = row[i]
      if (column === 'sessionRow') item.session = idOf.get(value) ?? value
      if (column === 'stamp') item.finished = value !== null
      if (column === 'cursorJson') item.read = value === null ? null : readTo(String(value))
      if (INCIDENTAL.has(column)) return
      item[column] = column.endsWith('Json') && value !== null ? JSON.parse(String(value)) : value
    })
    return item
  })
  return sortedByKey(dumped)
}

/** Entries one by one: how they are spread over blocks depends on the pieces in which they came. */
function dumpEntries(connection: Connection, row: number, session: string): Record<string, unknown>[] {
  return readBlocks(connection, row).flatMap(({ firstSeq, callsBefore, facts }) => {
    let call = callsBefore
    return facts.map((fact, i) => {
      if (isCall(fact)) call += 1
      return { session, place: firstSeq + i, call, ...fact }
    })
  })
}

function sortedByKey<T extends Readonly<Record<string, unknown>>>(items: readonly T[]): T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ item }) => item)
}

function readTo(cursorJson: string): unknown {
  const { offset, line, seq, tailHash } = JSON.parse(cursorJson)
  return { offset, line, seq, tailHash }
}

function keyOf(item: Readonly<Record<string, unknown>>): string {
  const { id, session, seq, n, day, model } = item
  const number = String(seq ?? n ?? 0).padStart(12, '0')
  return [session, number, id, day, model].join('|')
}
