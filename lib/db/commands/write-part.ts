import { takeBackCall } from '../call-blocks'
import type { Connection } from '../connection'
import { insertInto } from '../insert-into'
import type { PackedRows } from './pack-part'
import { writeFindings } from './write-findings'

const BLOCK = insertInto('EntryBlock', 'sessionRow firstSeq count callsBefore factsJson')
const ODD = insertInto('OddEntry', 'sessionRow seq line bytes type rawType problem')
const CALLS = insertInto('CallBlock', 'sessionRow firstN count totalsJson windowsJson callsJson')
const FAILED = insertInto('FailedCall', 'sessionRow n seq at stopReason')
const COMPACTION = insertInto(
  'Compaction',
  'sessionRow seq at kind afterCall tokensBefore tokensAfter fromHook midTask preview',
)
const DAY = insertInto(
  'SessionDay',
  'sessionRow day model calls inputTokens outputTokens cacheReadTokens cacheWriteTokens costUsd costUnknownCalls listUsd unpriced categoriesJson',
  'INSERT OR REPLACE',
)
const TOOL = insertInto(
  'SessionTool',
  'sessionRow tool calls results failed argumentTokens resultTokens largest sentTokens',
  'INSERT OR REPLACE',
)
const SIGNS = insertInto('SessionSigns', 'sessionRow signsJson', 'INSERT OR REPLACE')
const BILL = insertInto(
  'SessionBill',
  'sessionRow parent largest listUsd unpriced besides besidesTokens besidesUsd',
  'INSERT OR REPLACE',
)
const CHILDREN = [
  'EntryBlock',
  'OddEntry',
  'CallBlock',
  'FailedCall',
  'Compaction',
  'SessionDay',
  'SessionTool',
  'SessionBill',
] as const

/** Writes the rows of one part of a session inside an open transaction. Answers how many were written. */
export function writePart(connection: Connection, part: PackedRows, row: number, revision: number): number {
  let rows = 1
  if (part.replace) {
    for (const table of CHILDREN) {
      rows += connection.run(`DELETE FROM "${table}" WHERE "sessionRow" = ?`, [row]).rowsAffected
    }
  }
  const columns = { ...part.columns, revision }
  const sets = Object.keys(columns).map((name) => `"${name}" = ?`)
  connection.run(
    `UPDATE "Session" SET ${sets.join(', ')}, "bytes" = iif(?, 0, "bytes") + ? WHERE "row" = ?`,
    [...Object.values(columns), part.replace ? 1 : 0, part.bytes, row],
  )
  rows += writeEntries(connection, part, row)
  rows += writeCalls(connection, part, row)
  for (const boundary of part.boundaries) {
    const { seq, at, kind, afterCall, tokensBefore, tokensAfter, fromHook, midTask, preview } = boundary
    connection.run(COMPACTION, [
      row,
      seq,
      at,
      kind,
      afterCall,
      tokensBefore,
      tokensAfter,
      fromHook ? 1 : 0,
      midTask ? 1 : 0,
      preview,
    ])
  }
  for (const day of part.days) {
    connection.run(DAY, [
      row,
      day.day,
      day.model,
      day.calls,
      day.input,
      day.output,
      day.cacheRead,
      day.cacheWrite,
      day.costUsd,
      day.costUnknownCalls,
      day.listUsd,
      day.unpriced,
      JSON.stringify(day.categories),
    ])
  }
  for (const tool of part.tools) {
    const { calls, results, failed, argumentTokens, resultTokens, largest, sentTokens } = tool
    connection.run(TOOL, [
      row,
      tool.tool,
      calls,
      results,
      failed,
      argumentTokens,
      resultTokens,
      largest,
      sentTokens,
    ])
  }
  if (part.bill !== null) connection.run(BILL, [row, ...part.bill])
  if (part.signsJson !== null) connection.run(SIGNS, [row, part.signsJson])
  if (part.judged !== null) rows += writeFindings(connection, row, part.judged)
  return rows + part.boundaries.length + part.days.length + part.tools.length + (part.bill === null ? 0 : 1)
}

function writeEntries(connection: Connection, { blocks, odd }: PackedRows, row: number): number {
  const insert = connection.statement(BLOCK)
  for (const { firstSeq, count, callsBefore, factsJson } of blocks)
    insert([row, firstSeq, count, callsBefore, factsJson])
  for (const values of odd) connection.run(ODD, [row, ...values])
  return blocks.length + odd.length
}

function writeCalls(connection: Connection, { calls, failed, amends }: PackedRows, row: number): number {
  if (amends !== null) takeBackCall(connection, row, amends)
  for (const { firstN, count, totalsJson, windowsJson, callsJson } of calls)
    connection.run(CALLS, [row, firstN, count, totalsJson, windowsJson, callsJson])
  for (const values of failed) connection.run(FAILED, [row, ...values])
  return calls.length + failed.length
}
