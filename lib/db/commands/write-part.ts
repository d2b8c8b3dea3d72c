import { costOf } from '../../core/tokens/prices'
import { isCall } from '../../core/transcript/context'
import type { SessionPart } from '../../engine/ingest-ports'
import { CALLS_PER_BLOCK, type PackedCalls, packCalls } from '../call-blocks'
import { ENTRIES_PER_BLOCK } from '../entry-blocks'
import { insertInto } from '../insert-into'
import type { LocalConnection } from '../local-connection'
import { packFacts } from '../pack-facts'
import { type Columns, importedColumns } from './session-columns'

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

/**
 * A part as it goes into the database. Making it is a good half of the work of writing, and nothing to hold the others
 * up for: it is done before the transaction.
 */
export type PackedPart = {
  readonly part: SessionPart
  /** Columns of `Session`, but for the revision. */
  readonly columns: Columns
  readonly blocks: readonly { readonly facts: SessionPart['facts']; readonly factsJson: string }[]
  readonly calls: readonly (PackedCalls & { readonly firstN: number; readonly count: number })[]
}

export function packPart(part: SessionPart): PackedPart {
  const { facts, frames } = part
  const blocks: PackedPart['blocks'][number][] = []
  for (let i = 0; i < facts.length; i += ENTRIES_PER_BLOCK) {
    const block = facts.slice(i, i + ENTRIES_PER_BLOCK)
    blocks.push({ facts: block, factsJson: packFacts(block) })
  }
  const firstSeq = facts[0]?.seq ?? 0
  const costs = frames.map(({ seq, model }) => {
    const usage = facts[seq - firstSeq]?.usage
    return usage == null ? null : costOf(usage, model).value
  })
  const calls: PackedPart['calls'][number][] = []
  for (let i = 0; i < frames.length; i += CALLS_PER_BLOCK) {
    const block = frames.slice(i, i + CALLS_PER_BLOCK)
    const packed = packCalls(block, costs.slice(i, i + CALLS_PER_BLOCK))
    calls.push({ ...packed, firstN: block[0]?.call ?? 0, count: block.length })
  }
  return { part, columns: importedColumns(part), blocks, calls }
}

/** Writes the rows of one part of a session inside an open transaction. Answers how many were written. */
export function writePart(
  connection: LocalConnection,
  packed: PackedPart,
  row: number,
  revision: number,
): number {
  const { part } = packed
  let rows = 1
  if (part.replace) {
    for (const table of CHILDREN) {
      rows += connection.run(`DELETE FROM "${table}" WHERE "sessionRow" = ?`, [row]).rowsAffected
    }
  }
  const columns = { ...packed.columns, revision }
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
  rows += writeEntries(connection, packed, row)
  rows += writeCalls(connection, packed, row)
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

function writeEntries(connection: LocalConnection, { part, blocks }: PackedPart, row: number): number {
  const insert = connection.statement(BLOCK)
  let callsBefore = (part.progress?.totals.calls ?? 0) - part.frames.length
  for (const { facts, factsJson } of blocks) {
    insert([row, facts[0]?.seq ?? 0, facts.length, callsBefore, factsJson])
    callsBefore += facts.filter(isCall).length
  }
  let odd = 0
  for (const { type, seq, line, bytes, rawType, problem } of part.facts) {
    if (type !== 'unreadable' && type !== 'unknown') continue
    connection.run(ODD, [row, seq, line, bytes, type, rawType ?? null, problem ?? null])
    odd += 1
  }
  return blocks.length + odd
}

function writeCalls(connection: LocalConnection, { part, calls }: PackedPart, row: number): number {
  for (const { firstN, count, totalsJson, windowsJson, callsJson } of calls)
    connection.run(CALLS, [row, firstN, count, totalsJson, windowsJson, callsJson])
  let failed = 0
  for (const { call, seq, at, stopReason } of part.frames) {
    if (stopReason !== 'error') continue
    connection.run(FAILED, [row, call, seq, at, stopReason])
    failed += 1
  }
  return calls.length + failed
}
