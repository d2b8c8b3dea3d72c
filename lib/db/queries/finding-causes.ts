import * as z from 'zod'
import type { CauseSums } from '../../core/findings/cause-sums'
import { SEVERITIES, type Severity } from '../../core/findings/finding'
import type { Database } from '../client'
import { rowOf, rowsOf } from '../rows'
import {
  type FindingsFilter,
  findingConditions,
  findingSource,
  OF_SESSIONS,
  OF_STORES,
  STORED_FINDING,
  type StoredFinding,
  storedOf,
  WORST_FIRST,
} from './findings'

/** Findings of one cause over sessions, with the dearest of the worst. */
export type StoredCause = CauseSums & { readonly worst: StoredFinding }

/** Which causes: so many after the first `skip`, those alone whose worst finding is of this severity. */
export type CausePage = { readonly skip: number; readonly limit: number; readonly worst?: Severity }

type Connected = Pick<Database, 'connection'>

const GROUP = z.object({
  ...STORED_FINDING,
  kind: z.string(),
  cause: z.string(),
  worstSeverity: z.number(),
  sessions: z.number(),
  sumUsd: z.number().nullable(),
  sumTokens: z.number().nullable(),
  withoutUsd: z.number(),
  withoutTokens: z.number(),
  latest: z.number().nullable(),
})
const COUNTED = z.object({ severity: z.number(), causes: z.number() })
const CAUSE = z.object({ cause: z.string() })

const WORST_CAUSE =
  'g."worstSeverity", g."sumUsd" IS NULL, g."sumUsd" DESC, g."sumTokens" DESC, g."sessions" DESC, g."cause"'

/** Findings grouped by cause, the worst first, then the dearest. What is long of a finding is read of the chosen ones alone. */
export function findFindingGroups(
  { connection }: Connected,
  filter: FindingsFilter,
  { skip, limit, worst }: CausePage,
): readonly StoredCause[] {
  const parts = [OF_SESSIONS, OF_STORES].map((of) => {
    const { sql, args } = findingConditions(filter, of)
    const from = findingSource(filter, of)
    return {
      args,
      // Each by its own index: no cause is of a session and of a store.
      grouped: `SELECT '${of.table}' AS "in", f."cause", MIN(f."severity") AS "worstSeverity", COUNT(DISTINCT ${of.session}) AS "sessions",
           SUM(f."usd") AS "sumUsd", SUM(f."tokens") AS "sumTokens", SUM(f."usd" IS NULL) AS "withoutUsd",
           SUM(f."tokens" IS NULL) AS "withoutTokens", MAX(f."lastSeen") AS "latest"
         FROM ${from} WHERE ${sql} GROUP BY f."cause"`,
      shown: `SELECT ${of.columns}, f."kind", g.* FROM page g JOIN ${of.joined}
         WHERE g."in" = '${of.table}' AND f."rowid" = (
           SELECT f."rowid" FROM ${from} WHERE ${sql} AND f."cause" = g."cause" ORDER BY ${WORST_FIRST} LIMIT 1
         )`,
    }
  })
  const all = parts.flatMap(({ args }) => args)
  const answer = connection.run(
    `WITH page AS MATERIALIZED (
       SELECT * FROM (${parts.map(({ grouped }) => grouped).join(' UNION ALL ')}) g
       ${worst === undefined ? '' : 'WHERE g."worstSeverity" = ?'} ORDER BY ${WORST_CAUSE} LIMIT ? OFFSET ?
     )
     SELECT * FROM (${parts.map(({ shown }) => shown).join(' UNION ALL ')}) g ORDER BY ${WORST_CAUSE}`,
    [...all, ...(worst === undefined ? [] : [SEVERITIES.indexOf(worst)]), limit, skip, ...all],
  )
  return rowsOf(GROUP, answer).map((row) => ({
    kind: row.kind,
    cause: row.cause,
    severity: SEVERITIES[row.worstSeverity] ?? 'low',
    sessions: row.sessions,
    usd: row.sumUsd,
    tokens: row.sumTokens,
    withoutUsd: row.withoutUsd,
    withoutTokens: row.withoutTokens,
    lastSeen: row.latest,
    worst: storedOf(row),
  }))
}

/** How many causes there are, by the severity of the worst finding of each. */
export function countCauses(
  { connection }: Connected,
  filter: FindingsFilter,
): { readonly [S in Severity]: number } {
  const parts = [OF_SESSIONS, OF_STORES].map((of) => {
    const { sql, args } = findingConditions(filter, of)
    return {
      args,
      grouped: `SELECT MIN(f."severity") AS "severity" FROM ${findingSource(filter, of)} WHERE ${sql} GROUP BY f."cause"`,
    }
  })
  const answer = connection.run(
    `SELECT "severity", COUNT(*) AS "causes" FROM (${parts.map(({ grouped }) => grouped).join(' UNION ALL ')})
     GROUP BY "severity"`,
    parts.flatMap(({ args }) => args),
  )
  const counts = { high: 0, medium: 0, low: 0 }
  for (const { severity, causes } of rowsOf(COUNTED, answer)) counts[SEVERITIES[severity] ?? 'low'] += causes
  return counts
}

/**
 * The cause of a finding; null: there is no such finding.
 * @param subject public id of the session or the store that it is about
 */
export function findCause({ connection }: Connected, subject: string, finding: string): string | null {
  const answer = connection.run(
    `SELECT f."cause" FROM "Finding" f JOIN "Session" s ON s."row" = f."sessionRow" WHERE s."id" = ? AND f."id" = ?
     UNION ALL SELECT f."cause" FROM "StoreFinding" f WHERE f."storeId" = ? AND f."id" = ?`,
    [subject, finding, subject, finding],
  )
  return rowOf(CAUSE, answer)?.cause ?? null
}
