import type { Receipt } from '../../engine/write/receipt'
import type { Connection } from '../connection'
import { insertInto } from '../insert-into'
import { figureOf } from '../rows'
import type { SqlValue } from '../sql-value'

const CHANGING = 'state problem undoneBy revision receiptJson'
const COLUMNS = `id at kind actor reason session root undoes ${CHANGING}`

/** A row that holds the same receipt already is left alone, so that open pages hear of real changes only. */
const PUT = `${insertInto('AuditEntry', COLUMNS)} ON CONFLICT ("id") DO UPDATE SET ${CHANGING.split(' ')
  .map((name) => `"${name}" = excluded."${name}"`)
  .join(', ')} WHERE "receiptJson" <> excluded."receiptJson"`

/** Puts receipts into the audit table, in one transaction. */
export function putAuditRows(connection: Connection, receipts: readonly Receipt[]): Promise<void> {
  return connection.write(() => {
    const revision = figureOf(connection.run('SELECT MAX("revision") AS n FROM "AuditEntry"')) + 1
    for (const receipt of receipts) connection.run(PUT, rowOf(receipt, revision))
  })
}

function rowOf(receipt: Receipt, revision: number): SqlValue[] {
  const { id, at, kind, actor, reason, session, root, undoes, state, problem, undoneBy } = receipt
  const fixed = [id, at, kind, actor, reason, session, root, undoes]
  return [...fixed, state, problem, undoneBy, revision, JSON.stringify(receipt)]
}
