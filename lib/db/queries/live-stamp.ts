import type { Database } from '../client'

/** What an open page compares to see whether anything has changed. */
export type LiveStamp = {
  /** Highest revision of any session; 0 without sessions. */
  readonly revision: number
  /** Differs when the state of a store does. */
  readonly stores: string
  /** Grows with every change of the list of writes; 0 without any. */
  readonly audit: number
  /** Grows with every change of a job; 0 without any. */
  readonly jobs: number
  /** Grows with every change of a log; 0 without any. */
  readonly logs: number
}

/**
 * Look-ups that cost microseconds: five on an index, one over a handful of stores. Asked several times a second while
 * a page is open, so it goes past Prisma.
 */
export function readLiveStamp({ connection }: Pick<Database, 'connection'>): LiveStamp {
  const [newest] = connection.run('SELECT MAX("revision") FROM "Session"').rows
  const [written] = connection.run('SELECT MAX("revision") FROM "AuditEntry"').rows
  const [worked] = connection.run('SELECT MAX("revision") FROM "Job"').rows
  const [logged] = connection.run('SELECT MAX("revision") FROM "LogFile"').rows
  const [left] = connection.run(`SELECT "value" FROM "Meta" WHERE "key" = 'logs-revision'`).rows
  const { rows } = connection.run('SELECT "id", "state", "problem", "lastReadAt" FROM "Store" ORDER BY "id"')
  return {
    revision: Number(newest?.[0] ?? 0),
    stores: rows.map((row) => row.join(' ')).join('\n'),
    audit: Number(written?.[0] ?? 0),
    jobs: Number(worked?.[0] ?? 0),
    logs: Math.max(Number(logged?.[0] ?? 0), Number(left?.[0] ?? 0)),
  }
}

/** Ids of sessions that changed after a revision, newest first, at most `limit`. */
export function readChangedSessions(
  { connection }: Pick<Database, 'connection'>,
  { after, limit }: { after: number; limit: number },
): readonly string[] {
  return connection
    .run('SELECT "id" FROM "Session" WHERE "revision" > ? ORDER BY "revision" DESC LIMIT ?', [after, limit])
    .rows.map((row) => String(row[0]))
}
