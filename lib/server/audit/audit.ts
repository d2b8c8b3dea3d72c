import 'server-only'
import { openLog } from '../../compose/logs'
import { openReceipts, openWriter, stampAuditLog, verifyAuditLog } from '../../compose/writer'
import type { AuditCheck } from '../../core/audit/audit-check'
import { findAuditPage } from '../../db/queries/audit-entries'
import { undoReceipt } from '../../engine/cold/undo-receipt'
import type { ReceiptProof } from '../../engine/write/receipt'
import type { Receipts } from '../../engine/write/write-ports'
import { AUDIT_PAGE_SIZE, type AuditView, auditView, clampPage } from '../../view/audit/audit'
import type { UndoAnswer } from '../../view/audit/audit-answers'
import { findNamed, getColdFolders } from '../cold/cold-library'
import { getDatabase } from '../process/database'
import { remember } from '../process/remember'
import { getSetup } from '../process/setup'

/** How long the dashboard waits for another owner's lock before it says who has it. Milliseconds. */
const WAIT_MS = 5_000

const checks = remember<'log', Promise<AuditCheck>>('audit-check', 1)

/** One page of every write ever made, newest first. */
export async function getAudit(page: number): Promise<AuditView> {
  const database = await getDatabase()
  const folder = getSetup().environment.home
  const read = (wanted: number) =>
    findAuditPage(database, { skip: (wanted - 1) * AUDIT_PAGE_SIZE, limit: AUDIT_PAGE_SIZE })
  const found = await read(page)
  const existing = clampPage(page, found.total)
  const { total, receipts } = existing === page ? found : await read(existing)
  const proofs = openReceipts(getSetup())
  const proved = receipts.map(async (receipt) => ({ ...receipt, proof: await proofOf(proofs, receipt.id) }))
  return auditView({ total, receipts: await Promise.all(proved), folder, log: await checkLog() }, existing)
}

/** By its file: a row can be made again from it, and proves nothing. */
async function proofOf(receipts: Receipts, id: string): Promise<ReceiptProof> {
  try {
    return (await receipts.read(id))?.proof ?? { kind: 'not-proved', why: 'Its file is gone.' }
  } catch (error) {
    return { kind: 'not-proved', why: error instanceof Error ? `${error.message}.` : String(error) }
  }
}

/** What the log proves, read again only when one of its files has changed: it takes a while to read all of it. */
async function checkLog(): Promise<AuditCheck> {
  const setup = getSetup()
  return checks('log', stampAuditLog(setup), () => verifyAuditLog(setup))
}

/** Takes a write back, byte for byte, or says why not. */
export async function takeBack(receipt: string): Promise<UndoAnswer> {
  const opened = await openWriter(getSetup())
  if (!opened.ok) return { kind: 'refused', problem: opened.message }
  const cold = async () => {
    const places = await getColdFolders()
    return { places, named: (id: string) => findNamed(places, id) }
  }
  const ports = { writer: opened.writer, cold, openLog: openLog(getSetup()) }
  const result = await undoReceipt(ports, { receipt, actor: 'dashboard', wait: { waitMs: WAIT_MS } })
  switch (result.kind) {
    case 'done':
      return { kind: 'undone', receipt: result.receipt.id, notes: result.notes }
    case 'unchanged':
      return { kind: 'unchanged' }
    case 'refused':
      return { kind: 'refused', problem: result.refusal.message }
  }
}
