import type { TrialChunk } from '../replay/drop-trial'
import { type Need, unmetNeeds } from '../replay/needs/needs'
import type { AnyLogRecord, LogRecord } from './log-fields'
import { chunksOfRecovery, recoveriesInForce } from './recovery-events'
import type { JudgedDrop } from './what-if'

/** A session as needs were found in it. */
export type JudgedSession = { readonly chunks: readonly TrialChunk[]; readonly needs: readonly Need[] }

/** What cold storage has of a dropped chunk. */
type StoredText = { readonly content: string; readonly entryIds: readonly string[] }

export type JudgeInput = {
  /** Lines of drops and recoveries, in any order; others are passed over. */
  readonly records: readonly AnyLogRecord[]
  /** null: the transcript is not there, or it was not looked up. */
  readonly session: (sessionId: string) => JudgedSession | null
  readonly stored: (chunkId: string, sessionId: string | null) => StoredText | null
}

/** So much of a chunk's beginning tells it from others. Characters. */
const TELLING_CHARS = 200

/**
 * The logged drops, each with what speaks against it: a recovery after it, or later needs that nothing else could meet.
 */
export function judgeDrops({ records, session, stored }: JudgeInput): JudgedDrop[] {
  const recoveries = recoveriesByChunk(records)
  const bySession = new Map<string | null, LogRecord<'drops'>[]>()
  for (const record of records) {
    if (record.kind !== 'drops') continue
    const known = bySession.get(record.sessionId)
    if (known === undefined) bySession.set(record.sessionId, [record])
    else known.push(record)
  }
  return [...bySession].flatMap(([sessionId, drops]) => {
    const judged = sessionId === null ? null : session(sessionId)
    const needed = judged === null ? () => null : neededOf(judged, drops, stored)
    return drops.map(
      (drop): JudgedDrop => ({
        chunkId: drop.chunkId ?? '',
        sessionId,
        at: drop.at,
        score: drop.reason === 'hard_limit' ? null : drop.relevanceScore,
        threshold: drop.thresholdUsed,
        reason: drop.reason,
        tokens: drop.tokens,
        recovered: recoveredBy(recoveries.get(drop.chunkId ?? '') ?? [], drop),
        needed: needed(drop),
      }),
    )
  })
}

function recoveriesByChunk(records: readonly AnyLogRecord[]): Map<string, LogRecord<'recovery'>[]> {
  const found = new Map<string, LogRecord<'recovery'>[]>()
  for (const record of records) {
    if (record.kind !== 'recovery') continue
    for (const id of chunksOfRecovery(record)) {
      const known = found.get(id)
      if (known === undefined) found.set(id, [record])
      else known.push(record)
    }
  }
  // What was taken back speaks against no drop.
  return new Map([...found].map(([id, lines]) => [id, recoveriesInForce(lines)]))
}

/** What brought the chunk back after this drop; null when nothing did. */
function recoveredBy(recoveries: readonly LogRecord<'recovery'>[], drop: LogRecord<'drops'>): string | null {
  const back = recoveries.find(
    ({ sessionId, at }) =>
      (sessionId === null || drop.sessionId === null || sessionId === drop.sessionId) &&
      (at === null || drop.at === null || at >= drop.at),
  )
  return back === undefined ? null : (back.trigger ?? 'recovery')
}

function neededOf(
  { chunks, needs }: JudgedSession,
  drops: readonly LogRecord<'drops'>[],
  stored: JudgeInput['stored'],
): (drop: LogRecord<'drops'>) => number | null {
  const places = new Map(drops.map((drop) => [drop, placeOf(chunks, drop, stored)]))
  const droppedAt = new Map<number, number>()
  for (const [drop, place] of places) {
    if (place === null || drop.at === null) continue
    const when = drop.at
    const next = chunks.findIndex(({ at }) => at !== null && at > when)
    droppedAt.set(place, next === -1 ? chunks.length : next)
  }
  const unmet = unmetNeeds(needs, (chunk) => droppedAt.get(chunk))
  return (drop) => {
    const place = places.get(drop) ?? null
    return place === null || !droppedAt.has(place) ? null : (unmet.get(place) ?? 0)
  }
}

/** The chunk of the transcript that was dropped: by its id, its entries, or its words. */
function placeOf(
  chunks: readonly TrialChunk[],
  { chunkId, sessionId }: LogRecord<'drops'>,
  stored: JudgeInput['stored'],
): number | null {
  const byId = chunks.findIndex(({ id }) => id === chunkId)
  if (byId !== -1) return byId
  const text = stored(chunkId ?? '', sessionId)
  if (text === null) return null
  const found = chunks.findIndex(
    (chunk) => text.entryIds.includes(chunk.id) || isSameText(chunk.text.trim(), text.content.trim()),
  )
  return found === -1 ? null : found
}

function isSameText(one: string, other: string): boolean {
  if (one === '' || other === '') return false
  return one === other || (one.length > 20 && other.includes(one.slice(0, TELLING_CHARS)))
}
