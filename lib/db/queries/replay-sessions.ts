import * as z from 'zod'
import type { ReplayChoice } from '../../core/replay/experiment-spec'
import { SENDERS } from '../../core/transcript/send-rules'
import type { IndexEntry } from '../../core/transcript/session-index'
import { stampedSource } from '../../engine/ingest/stamp'
import type { ReplayCandidate } from '../../engine/replay/replay-ports'
import type { Database } from '../client'
import { figureOf, json, rowsOf } from '../rows'
import { STORE_STATE } from '../store-state'
import { REPEATED_SESSIONS, REPEATING_ROWS } from './copies'

const ROW = z.object({
  id: z.string(),
  sessionId: z.string(),
  key: z.string().nullable(),
  agent: z.string().nullable(),
  name: z.string().nullable(),
  path: z.string(),
  state: z.enum(['live', 'reset', 'deleted', 'backup', 'checkpoint', 'imported', 'gone']),
  calls: z.number(),
  model: z.string().nullable(),
  window: z.number().nullable(),
  windowSource: z.string().nullable(),
  updatedAt: z.number().nullable(),
  stamp: z.string().nullable(),
  /** Every field was checked when the index was read, and all of them may be absent. */
  indexJson: json(z.custom<IndexEntry>((value) => typeof value === 'object' && value !== null)).nullable(),
  storeId: z.string(),
  storeKind: z.enum(SENDERS),
  storeEra: z.enum(['jsonl', 'sqlite']),
  storeRoot: z.string(),
  storeLabel: z.string(),
  storeState: STORE_STATE,
})

const UNREAD = { dev: 0, ino: 0, size: 0, mtimeMs: 0 }

const FROM = `FROM "Session" s JOIN "Store" t ON t."id" = s."storeId"
  WHERE s."calls" > 0 AND s."problem" IS NULL AND s."row" NOT IN (${REPEATING_ROWS})`

const SELECT = `SELECT s."id", s."sessionId", s."key", s."agent", s."name", s."path", s."state", s."calls", s."model",
    s."window", s."windowSource", s."updatedAt", s."stamp", s."indexJson", s."storeId", t."kind" AS "storeKind",
    t."era" AS "storeEra", t."root" AS "storeRoot", t."label" AS "storeLabel", t."state" AS "storeState" ${FROM}`

/** Sessions that can be replayed: those with calls, copies of others left out. */
export function findReplaySessions({ connection }: Pick<Database, 'connection'>): ReplayCandidate[] {
  return rowsOf(ROW, connection.run(SELECT)).map(candidateOf)
}

/** Those of sessions with a transcript that can repeat another one: which of them an experiment takes is to be examined. */
export function findRepeatedReplaySessions({
  connection,
}: Pick<Database, 'connection'>): readonly ReplayCandidate[] {
  const answer = connection.run(`${SELECT} AND s."sessionId" IN (${REPEATED_SESSIONS})`)
  return rowsOf(ROW, answer).map(candidateOf)
}

/** How many of all others a choice takes: an experiment takes each of them. None of them is read for it. */
export function countPlainReplaySessions(
  { connection }: Pick<Database, 'connection'>,
  { stores, agents, ids, since }: ReplayChoice,
): number {
  const conditions = [`s."sessionId" NOT IN (${REPEATED_SESSIONS})`]
  const values: (string | number)[] = []
  for (const [column, list] of [
    ['storeId', stores] as const,
    ['agent', agents] as const,
    ['id', ids] as const,
  ]) {
    if (list.length === 0) continue
    conditions.push(`s."${column}" IN (SELECT value FROM json_each(?))`)
    values.push(JSON.stringify(list))
  }
  if (since !== null) {
    conditions.push('COALESCE(s."updatedAt", 0) >= ?')
    values.push(since)
  }
  return figureOf(connection.run(`SELECT COUNT(*) AS n ${FROM} AND ${conditions.join(' AND ')}`, values))
}

/** One of them by the id of its transcript; null when it cannot be replayed. */
export function findReplaySession(
  { connection }: Pick<Database, 'connection'>,
  id: string,
): ReplayCandidate | null {
  const [row] = rowsOf(ROW, connection.run(`${SELECT} AND s."id" = ?`, [id]))
  return row === undefined ? null : candidateOf(row)
}

function candidateOf(row: z.output<typeof ROW>): ReplayCandidate {
  return {
    store: {
      ...{ id: row.storeId, kind: row.storeKind, era: row.storeEra, root: row.storeRoot },
      ...{ label: row.storeLabel, state: row.storeState },
    },
    transcript: {
      ...{ id: row.id, storeId: row.storeId, sessionId: row.sessionId, key: row.key, agent: row.agent },
      ...{ path: row.path, state: row.state, index: row.indexJson },
      // One that is being read has no stamp yet: what is prepared of it is not kept.
      stamp: (row.stamp === null ? null : stampedSource(row.stamp)) ?? UNREAD,
      ...(row.windowSource === 'catalogue' && row.model !== null && row.window !== null
        ? { windows: { [row.model]: row.window } }
        : {}),
    },
    title: row.name ?? row.key ?? row.sessionId,
    ...{ calls: row.calls, updatedAt: row.updatedAt },
  }
}

const CHOICE = z.object({
  storeId: z.string(),
  storeLabel: z.string(),
  agent: z.string().nullable(),
  sessions: z.number(),
})

/** Stores and agents that have sessions which can be replayed, each with how many. */
export function findReplayChoices({ connection }: Pick<Database, 'connection'>): z.output<typeof CHOICE>[] {
  return rowsOf(
    CHOICE,
    connection.run(
      `SELECT s."storeId", t."label" AS "storeLabel", s."agent", COUNT(*) AS "sessions" ${FROM}
       GROUP BY 1, 2, 3 ORDER BY 2, 1, 3`,
    ),
  )
}
