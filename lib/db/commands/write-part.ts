import { costOf } from '../../core/tokens/prices'
import { isCall } from '../../core/transcript/context'
import type { SessionPart } from '../../engine/ingest-ports'
import { CALLS_PER_BLOCK, packCalls } from '../call-blocks'
import { ENTRIES_PER_BLOCK } from '../entry-blocks'
import { insertInto } from '../insert-into'
import type { LocalConnection } from '../local-connection'
import { packFacts } from '../pack-facts'
import { importedColumns } from './session-columns'

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
  'sessionRow day model calls inputTokens outputTokens cacheReadTokens cacheWriteTokens costUsd costUnknownCalls categoriesJson',
  'INSERT OR REPLACE',
)
const CHILDREN = ['EntryBlock', 'OddEntry', 'CallBlock', 'FailedCall', 'Compaction', 'SessionDay'] as const

/** Writes the rows of one part of a session inside an open transaction. Answers how many were written. */
export function writePart(
  connection: LocalConnection,
  part: SessionPart,
  row: number,
  revision: number,
): number {
  let rows = 1
  if (part.replace) {
    for (const table of CHILDREN) {
      rows += connection.run(`DELETE FROM "${table}" WHERE "sessionRow" = ?`, [row]).rowsAffected
    }
  }
  const columns = { ...importedColumns(part), revision }
  const sets = Object.keys(columns).map((name) => `"${name}" = ?`)
  connection.run(
    `UPDATE "Session" SET ${sets.join(', ')}, "bytes" = iif(?, 0, "bytes") + ? WHERE "row" = ?`,
    [
      ...Object.values(columns),
      part.replace ? 1 : 0,
      part.facts.reduce((sum, { bytes }) => sum + bytes + 1, 0),
      row,
    ],
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
      JSON.stringify(day.categories),
    ])
  }
  return rows + part.boundaries.length + part.days.length
}

function writeEntries(
  connection: LocalConnection,
  { facts, frames, progress }: SessionPart,
  row: number,
): number {
  const insert = connection.statement(BLOCK)
  let callsBefore = (progress?.totals.calls ?? 0) - frames.length
  let blocks = 0
  for (let i = 0; i < facts.length; i += ENTRIES_PER_BLOCK) {
    const block = facts.slice(i, i + ENTRIES_PER_BLOCK)
    insert([row, block[0]?.seq ?? 0, block.length, callsBefore, packFacts(block)])
    callsBefore += block.filter(isCall).length
    blocks += 1
  }
  for (const { type, seq, line, bytes, rawType, problem } of facts) {
    if (type !== 'unreadable' && type !== 'unknown') continue
    connection.run(ODD, [row, seq, line, bytes, type, rawType ?? null, problem ?? null])
    blocks += 1
  }
  return blocks
}

function writeCalls(connection: LocalConnection, { facts, frames }: SessionPart, row: number): number {
  const firstSeq = facts[0]?.seq ?? 0
  const costs = frames.map(({ seq, model }) => {
    const usage = facts[seq - firstSeq]?.usage
    return usage == null ? null : costOf(usage, model).value
  })
  let rows = 0
  for (let i = 0; i < frames.length; i += CALLS_PER_BLOCK) {
    const block = frames.slice(i, i + CALLS_PER_BLOCK)
    const packed = packCalls(block, costs.slice(i, i + CALLS_PER_BLOCK))
    const { totalsJson, windowsJson, callsJson } = packed
    connection.run(CALLS, [row, block[0]?.call ?? 0, block.length, totalsJson, windowsJson, callsJson])
    rows += 1
  }
  for (const { call, seq, at, stopReason } of frames) {
    if (stopReason !== 'error') continue
    connection.run(FAILED, [row, call, seq, at, stopReason])
    rows += 1
  }
  return rows
}
