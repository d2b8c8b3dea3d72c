import * as z from 'zod'
import { SEVERITIES, type SessionFinding } from '../../core/findings/finding'
import type { Milliseconds } from '../../core/units/units'
import type { Connection } from '../connection'
import { insertInto } from '../insert-into'
import { rowsOf } from '../rows'

const KEPT = z.object({ id: z.string(), findingJson: z.string(), goneAt: z.number().nullable() })

const FINDING = insertInto(
  'Finding',
  'sessionRow id kind cause severity usd tokens firstSeen lastSeen foundAt goneAt findingJson',
)
const RENEWED = `${FINDING} ON CONFLICT ("sessionRow", "id") DO UPDATE SET
  ${['kind', 'cause', 'severity', 'usd', 'tokens', 'firstSeen', 'lastSeen', 'goneAt', 'findingJson']
    .map((name) => `"${name}" = excluded."${name}"`)
    .join(', ')}`

/**
 * Brings what is kept of a session's findings up to date, inside an open transaction: new ones are added, those that are
 * not found any more stay with the moment. Answers how many rows changed.
 */
export function writeFindings(
  connection: Connection,
  sessionRow: number,
  judged: { readonly findings: readonly SessionFinding[]; readonly at: Milliseconds },
): number {
  const answer = connection.run(
    'SELECT "id", "findingJson", "goneAt" FROM "Finding" WHERE "sessionRow" = ?',
    [sessionRow],
  )
  const kept = new Map(rowsOf(KEPT, answer).map((one) => [one.id, one]))
  let rows = 0
  for (const finding of judged.findings) {
    const before = kept.get(finding.id)
    kept.delete(finding.id)
    const findingJson = JSON.stringify(finding)
    if (before !== undefined && before.goneAt === null && before.findingJson === findingJson) continue
    const { id, kind, cause, severity, cost, firstSeen, lastSeen } = finding
    connection.run(RENEWED, [
      ...[sessionRow, id, kind, cause, SEVERITIES.indexOf(severity), cost.usd.value, cost.tokens.value],
      ...[firstSeen, lastSeen, judged.at, null, findingJson],
    ])
    rows += 1
  }
  for (const { id, goneAt } of kept.values()) {
    if (goneAt !== null) continue
    connection.run('UPDATE "Finding" SET "goneAt" = ? WHERE "sessionRow" = ? AND "id" = ?', [
      judged.at,
      sessionRow,
      id,
    ])
    rows += 1
  }
  return rows
}
