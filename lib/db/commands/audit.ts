import type { Receipt } from '../../engine/receipt'
import { insertInto } from '../insert-into'
import type { LocalConnection, SqlValue } from '../local-connection'

const CHANGING = 'state problem undoneBy revision receiptJson'
const COLUMNS = `id at kind actor reason session root undoes ${CHANGING}`

/** A row that holds the same receipt already is left alone, so that open pages hear of real changes only. */
const PUT = `${insertInto('AuditEntry', COLUMNS)} ON CONFLICT ("id") DO UPDATE SET ${CHANGING.split(' ')
  .map((name) => `"${name}" = excluded."${name}"`)
  .join(', ')} WHERE "receiptJson" <> excluded."receiptJson"`

/** Puts receipts into the audit table, in one transaction. */
export function putAuditRows(connection: LocalConnection, receipts: readonly Receipt[]): Promise<void> {
  return connection.write(() => {
    const [newest] = connection.run('SELECT MAX("revision") FROM "AuditEntry"').rows
    const revision = Number(newest?.[0] ?? 0) + 1
    for (const receipt of receipts) connection.run(PUT, rowOf(receipt, revision))
  })
}

function rowOf(receipt: Receipt, revision: number): SqlValue[] {
  const { id, at, kind, actor, reason, session, root, undoes, state, problem, undoneBy } = receipt
  const fixed = [id, at, kind, actor, reason, session, root, undoes]
  return [...fixed, state, problem, undoneBy, revision, JSON.stringify(receipt)]
}
