import { windowFacts } from '../../core/budget/session-loads'
import type { SessionPart } from '../../engine/ingest/ingest-ports'
import type { FoundTranscript } from '../../engine/read/ports'
import type { SqlValue } from '../sql-value'

/** Columns of `Session` by name. */
export type Columns = Readonly<Record<string, SqlValue>>

/** Columns of `Session` that the listing of a store decides. */
export function listedColumns(transcript: FoundTranscript): Columns {
  const { index } = transcript
  return {
    storeId: transcript.storeId,
    sessionId: transcript.sessionId,
    key: transcript.key,
    agent: transcript.agent,
    channel: index?.channel ?? null,
    path: transcript.path,
    state: transcript.state,
    indexJson: index === null ? null : JSON.stringify(index),
  }
}

/** Columns of `Session` that the import of a part decides. */
export function importedColumns(part: SessionPart): Columns {
  const { transcript, progress, problem, stamp } = part
  const listed = { ...listedColumns(transcript), problem, stamp }
  if (progress === null) return { ...listed, updatedAt: updatedAt(transcript, null) }
  const { totals, cursor, foldJson, setupKey } = progress
  const { index } = transcript
  return {
    ...listed,
    name: index?.label ?? index?.displayName ?? totals.name,
    version: totals.version,
    cwd: totals.cwd,
    entries: totals.entries,
    unreadable: totals.unreadable,
    unknownTypes: totals.unknownTypes,
    calls: totals.calls,
    turns: totals.turns,
    compactions: totals.compactions,
    provider: totals.provider ?? index?.provider ?? null,
    model: totals.model ?? index?.model ?? null,
    ...windowFacts(totals.window),
    contextTokens: totals.context.value === null ? null : Math.round(totals.context.value),
    contextBasis: totals.context.basis,
    contextErrorPct: totals.context.basis === 'estimated' ? totals.context.errorPct : null,
    inputTokens: totals.input,
    outputTokens: totals.output,
    cacheReadTokens: totals.cacheRead,
    cacheWriteTokens: totals.cacheWrite,
    costUsd: totals.costUsd,
    costUnknownCalls: totals.costUnknownCalls,
    trendJson: JSON.stringify(totals.trend),
    startedAt: totals.startedAt,
    updatedAt: updatedAt(transcript, totals.updatedAt),
    cursorJson: JSON.stringify(cursor),
    foldJson: `{"setup":${JSON.stringify(setupKey)},"fold":${foldJson}}`,
  }
}

/** The last entry's time; without one, what the index or the file system says. */
function updatedAt(transcript: FoundTranscript, entry: number | null): number {
  return Math.round(entry ?? transcript.index?.updatedAt ?? transcript.stamp.mtimeMs)
}
