import * as z from 'zod'
import { SEVERITIES, type SessionFinding } from '../../core/findings/finding'
import type { Milliseconds } from '../../core/units/units'
import type { Connection } from '../connection'
import { insertInto } from '../insert-into'
import { json, rowsOf } from '../rows'

/** What is found by the clock shows at every check: that it still does is written down this seldom. */
const SEEN_AGAIN: Milliseconds = 60 * 60_000

const KEPT = z.object({
  id: z.string(),
  findingJson: json(z.custom<SessionFinding>((value) => typeof value === 'object' && value !== null)),
  goneAt: z.number().nullable(),
})

const FINDING = insertInto(
  'StoreFinding',
  'storeId id transcriptId kind cause severity usd tokens firstSeen lastSeen foundAt goneAt findingJson',
)
const RENEWED = `${FINDING} ON CONFLICT ("storeId", "id") DO UPDATE SET
  ${[
    'transcriptId',
    'kind',
    'cause',
    'severity',
    'usd',
    'tokens',
    'firstSeen',
    'lastSeen',
    'goneAt',
    'findingJson',
  ]
    .map((name) => `"${name}" = excluded."${name}"`)
    .join(', ')}`

/**
 * Brings what is kept of a store's findings up to date in one transaction: new ones are added, those that are not found
 * any more stay with the moment. Open pages hear of it, unless only the moment at which one was seen last is another.
 * @returns whether anything is to be shown anew
 */
export function writeStoreFindings(
  connection: Connection,
  storeId: string,
  judged: { readonly findings: readonly SessionFinding[]; readonly at: Milliseconds },
): Promise<boolean> {
  return connection.write(() => {
    const answer = connection.run(
      'SELECT "id", "findingJson", "goneAt" FROM "StoreFinding" WHERE "storeId" = ?',
      [storeId],
    )
    const kept = new Map(rowsOf(KEPT, answer).map((one) => [one.id, one]))
    let isOther = false
    for (const found of judged.findings) {
      const before = kept.get(found.id)
      kept.delete(found.id)
      const isThere = before !== undefined && before.goneAt === null
      // What shows by the clock alone began when it was found first.
      const finding = isThere ? { ...found, firstSeen: before.findingJson.firstSeen } : found
      const isSame = isThere && lasting(before.findingJson) === lasting(finding)
      const seen = isThere ? (before.findingJson.lastSeen ?? 0) : 0
      if (isSame && (finding.lastSeen ?? 0) - seen < SEEN_AGAIN) continue
      putFinding(connection, storeId, finding, judged.at)
      isOther ||= !isSame
    }
    for (const { id, goneAt } of kept.values()) {
      if (goneAt !== null) continue
      connection.run('UPDATE "StoreFinding" SET "goneAt" = ? WHERE "storeId" = ? AND "id" = ?', [
        judged.at,
        storeId,
        id,
      ])
      isOther = true
    }
    if (isOther)
      connection.run('UPDATE "Store" SET "findingsRevision" = "findingsRevision" + 1 WHERE "id" = ?', [
        storeId,
      ])
    return isOther
  })
}

/**
 * Keeps why a store could not be judged as a whole, or that it could (null). Open pages hear of it when that is another
 * answer than before.
 */
export async function noteFindingsProblem(
  connection: Connection,
  storeId: string,
  problem: string | null,
): Promise<void> {
  const where = '"id" = ? AND "findingsProblem" IS NOT ?'
  // It is asked at every check: nothing is written while the answer stays.
  if (connection.run(`SELECT 1 FROM "Store" WHERE ${where}`, [storeId, problem]).rows.length === 0) return
  await connection.write(() => {
    connection.run(
      `UPDATE "Store" SET "findingsProblem" = ?, "findingsRevision" = "findingsRevision" + 1 WHERE ${where}`,
      [problem, storeId, problem],
    )
  })
}

function putFinding(
  connection: Connection,
  storeId: string,
  finding: SessionFinding,
  at: Milliseconds,
): void {
  const { id, kind, cause, severity, cost, firstSeen, lastSeen, concerns } = finding
  connection.run(RENEWED, [
    ...[storeId, id, concerns.transcriptId ?? '', kind, cause, SEVERITIES.indexOf(severity)],
    ...[cost.usd.value, cost.tokens.value, firstSeen, lastSeen, at, null, JSON.stringify(finding)],
  ])
}

/** A finding without the moments at which it was seen. */
function lasting({ firstSeen: _, lastSeen: __, ...finding }: SessionFinding): string {
  return JSON.stringify(finding)
}
