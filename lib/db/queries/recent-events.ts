import * as z from 'zod'
import type { BoundaryEvent } from '../../core/transcript/boundary-event'
import type { Database } from '../client'
import { FLAG, figureOf, rowsOf } from '../rows'
import { REPEATING_ROWS } from './copies'
import { EVENT_COLUMNS, EVENT_SESSION, type EventSession } from './event-session'
import { failureReasons } from './failure-reasons'

export type CompactionEvent = EventSession & BoundaryEvent

export type FailedCall = EventSession & {
  readonly at: number | null
  readonly call: number
  readonly stopReason: string
  /** What the transcript says of why; null: nothing. */
  readonly reason: string | null
}

export type UnreadableLines = EventSession & { readonly at: number | null; readonly unreadable: number }

/** Prompt sizes of the calls around a compaction `c`. */
const PROMPTS = `
      (SELECT json_extract(b."totalsJson", '$[' || (c."afterCall" - b."firstN") || ']') FROM "CallBlock" b
       WHERE b."sessionRow" = c."sessionRow" AND b."firstN" <= c."afterCall" ORDER BY b."firstN" DESC LIMIT 1) AS "promptBefore",
      (SELECT json_extract(a."totalsJson", '$[' || (c."afterCall" + 1 - a."firstN") || ']') FROM "CallBlock" a
       WHERE a."sessionRow" = c."sessionRow" AND a."firstN" <= c."afterCall" + 1 ORDER BY a."firstN" DESC LIMIT 1) AS "promptAfter"`

/** What happened in a session happened once, however many copies of its transcript tell it. */
const HAPPENED_HERE = `c."sessionRow" NOT IN (${REPEATING_ROWS})`

/** A compaction as the charts by day need it. */
export type CompactionFact = Pick<CompactionEvent, 'at' | 'promptBefore' | 'promptAfter'> & {
  readonly midTask: boolean
}

const FACT = z.object({
  at: z.number(),
  midTask: FLAG,
  promptBefore: z.number().nullable(),
  promptAfter: z.number().nullable(),
})
const COMPACTION = z.object({
  ...EVENT_SESSION,
  at: z.number(),
  kind: z.string(),
  afterCall: z.number(),
  tokensBefore: z.number().nullable(),
  tokensAfter: z.number().nullable(),
  promptBefore: z.number().nullable(),
  promptAfter: z.number().nullable(),
})
const FAILED = z.object({
  ...EVENT_SESSION,
  ...{ at: z.number(), call: z.number(), stopReason: z.string() },
  ...{ sessionRow: z.number(), seq: z.number() },
})
const UNREADABLE = z.object({ ...EVENT_SESSION, at: z.number(), unreadable: z.number() })

type Connected = Pick<Database, 'connection'>

/** Compactions of all sessions in [from, to), in milliseconds; no resets. In the order of time. */
export function findCompactionsBetween(
  { connection }: Connected,
  { from, to }: { readonly from: number; readonly to: number },
): readonly CompactionFact[] {
  const answer = connection.run(
    `SELECT c."at", c."midTask", ${PROMPTS} FROM "Compaction" c
     WHERE c."kind" <> 'reset' AND c."at" >= ? AND c."at" < ? AND ${HAPPENED_HERE} ORDER BY c."at"`,
    [from, to],
  )
  return rowsOf(FACT, answer)
}

/** Compactions and resets of all sessions, newest first. */
export function findRecentCompactions({ connection }: Connected, limit: number): readonly CompactionEvent[] {
  const answer = connection.run(
    `SELECT ${EVENT_COLUMNS}, c."at", c."kind", c."afterCall", c."tokensBefore", c."tokensAfter",
      ${PROMPTS}
     FROM "Compaction" c JOIN "Session" s ON s."row" = c."sessionRow"
     WHERE c."at" IS NOT NULL AND ${HAPPENED_HERE} ORDER BY c."at" DESC LIMIT ?`,
    [limit],
  )
  return rowsOf(COMPACTION, answer)
}

/** Something that transcripts record: a compaction, a reset, or a call that ended in an error. */
export type TranscriptEvent = CompactionEvent & {
  readonly stopReason: string | null
  /** Of a call that failed: what the transcript says of why; null: nothing. */
  readonly reason: string | null
}

/** Which of them: all, or those of one kind. */
export type RecordedEventKind = 'compaction' | 'reset' | 'failure'

const EVENT = COMPACTION.extend({
  ...{ stopReason: z.string().nullable(), sessionRow: z.number(), seq: z.number().nullable() },
})
const BOUNDARIES = `SELECT c."sessionRow", c."at", c."kind", c."afterCall", c."tokensBefore", c."tokensAfter", NULL AS "stopReason", NULL AS "seq"
  FROM "Compaction" c WHERE c."at" IS NOT NULL AND ${HAPPENED_HERE}`
const FAILURES = `SELECT c."sessionRow", c."at", 'failure', c."n", NULL, NULL, c."stopReason", c."seq"
  FROM "FailedCall" c WHERE c."at" IS NOT NULL AND ${HAPPENED_HERE}`
const EVENTS: { readonly [K in RecordedEventKind | 'all']: string } = {
  all: `${BOUNDARIES} UNION ALL ${FAILURES}`,
  compaction: `${BOUNDARIES} AND c."kind" <> 'reset'`,
  reset: `${BOUNDARIES} AND c."kind" = 'reset'`,
  failure: FAILURES,
}

/** What all transcripts record of such events, newest first, and how many there are. */
export function findTranscriptEvents(
  { connection }: Connected,
  asked: { readonly kind: RecordedEventKind | null; readonly skip: number; readonly limit: number },
): { readonly events: readonly TranscriptEvent[]; readonly total: number } {
  const from = `(${EVENTS[asked.kind ?? 'all']}) c`
  const answer = connection.run(
    `SELECT ${EVENT_COLUMNS}, c."at", c."kind", c."afterCall", c."tokensBefore", c."tokensAfter", c."stopReason", c."sessionRow", c."seq", ${PROMPTS}
     FROM (SELECT * FROM ${from} ORDER BY c."at" DESC, c."sessionRow", c."afterCall" LIMIT ? OFFSET ?) c
     JOIN "Session" s ON s."row" = c."sessionRow" ORDER BY c."at" DESC, c."sessionRow", c."afterCall"`,
    [asked.limit, asked.skip],
  )
  return {
    events: withReasons(connection, rowsOf(EVENT, answer)),
    total: figureOf(connection.run(`SELECT COUNT(*) AS n FROM ${from}`, [])),
  }
}

/** How many compactions fall into [from, to), in milliseconds. Resets do not count. */
export function countCompactions(
  { connection }: Connected,
  { from, to }: { from: number; to: number },
): number {
  const answer = connection.run(
    `SELECT COUNT(*) AS n FROM "Compaction" c
     WHERE c."kind" <> 'reset' AND c."at" >= ? AND c."at" < ? AND ${HAPPENED_HERE}`,
    [from, to],
  )
  return figureOf(answer)
}

/** Calls that ended in an error, newest first. */
export function findFailedCalls({ connection }: Connected, limit: number): readonly FailedCall[] {
  const answer = connection.run(
    `SELECT ${EVENT_COLUMNS}, c."at", c."n" AS "call", c."stopReason", c."sessionRow", c."seq"
     FROM "FailedCall" c JOIN "Session" s ON s."row" = c."sessionRow"
     WHERE c."at" IS NOT NULL AND ${HAPPENED_HERE} ORDER BY c."at" DESC LIMIT ?`,
    [limit],
  )
  return withReasons(connection, rowsOf(FAILED, answer))
}

function withReasons<T extends { readonly sessionRow: number; readonly seq: number | null }>(
  connection: Database['connection'],
  rows: readonly T[],
): (Omit<T, 'sessionRow' | 'seq'> & { readonly reason: string | null })[] {
  const reasons = failureReasons(connection, rows)
  return rows.map(({ sessionRow: _row, seq: _seq, ...row }, i) => ({ ...row, reason: reasons[i] ?? null }))
}

/** Sessions with lines that could not be read, the last changed first. */
export function findUnreadableLines({ connection }: Connected, limit: number): readonly UnreadableLines[] {
  const answer = connection.run(
    `SELECT ${EVENT_COLUMNS}, s."updatedAt" AS "at", s."unreadable"
     FROM "Session" s WHERE s."unreadable" > 0 AND s."updatedAt" IS NOT NULL
     ORDER BY s."updatedAt" DESC LIMIT ?`,
    [limit],
  )
  return rowsOf(UNREADABLE, answer)
}
