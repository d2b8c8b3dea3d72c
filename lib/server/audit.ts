import 'server-only'
import { findAuditPage } from '../db/queries/audit-entries'
import { logUndo, recoveryUndoneBy } from '../engine/log-undo'
import type { Receipt } from '../engine/receipt'
import { undoWrite } from '../engine/undo-write'
import type { Writer } from '../engine/write-ports'
import { AUDIT_PAGE_SIZE, type AuditView, auditView, clampPage } from '../view/audit'
import type { UndoAnswer } from '../view/audit-answers'
import { openLog } from '../wire/logs'
import { openWriter } from '../wire/writer'
import { findChunk, getColdFolders } from './cold-library'
import { getDatabase } from './database'
import { getSetup } from './setup'

/** How long the dashboard waits for somebody else's lock before it says who has it. Milliseconds. */
const WAIT_MS = 5_000

/** One page of every write ever made, newest first. */
export async function getAudit(page: number): Promise<AuditView> {
  const database = await getDatabase()
  const folder = getSetup().environment.home
  const read = (wanted: number) =>
    findAuditPage(database, { skip: (wanted - 1) * AUDIT_PAGE_SIZE, limit: AUDIT_PAGE_SIZE })
  const found = await read(page)
  const existing = clampPage(page, found.total)
  return auditView({ ...(existing === page ? found : await read(existing)), folder }, existing)
}

/** Takes a write back, byte for byte, or says why not. */
export async function undoReceipt(receipt: string): Promise<UndoAnswer> {
  const opened = await openWriter(getSetup())
  if (!opened.ok) return { kind: 'refused', problem: opened.message }
  const result = await undoWrite(opened.writer, {
    receipt,
    actor: 'dashboard',
    wait: { waitMs: WAIT_MS },
  })
  switch (result.kind) {
    case 'done':
      return {
        kind: 'undone',
        receipt: result.receipt.id,
        notes: [...result.notes, ...(await noteInLog(opened.writer, result.receipt))],
      }
    case 'unchanged':
      return { kind: 'unchanged' }
    case 'refused':
      return { kind: 'refused', problem: result.refusal.message }
  }
}

/** Notes in the log of recoveries what became of a chunk. Answers what went wrong with that; the undo stands all the same. */
async function noteInLog({ receipts }: Writer, receipt: Receipt): Promise<readonly string[]> {
  const recovery = await recoveryUndoneBy(receipts, receipt)
  if (recovery === null) return []
  // Where the recovery was noted, too; a chunk that is gone tells no place.
  const folder = (await findChunk(recovery))?.folder ?? (await getColdFolders())[0]
  if (folder === undefined) return []
  const problem = await logUndo(openLog(getSetup())(folder.policy.logs), recovery)
  return problem === null ? [] : [problem]
}
