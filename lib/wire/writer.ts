import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { liveOwners } from '../adapters/locks/live-owners'
import { lockTimes } from '../adapters/locks/lock-times'
import { sessionLocks } from '../adapters/locks/session-locks'
import { storeLockTimes } from '../adapters/locks/store-lock-times'
import { fileAuditLog } from '../adapters/write/file-audit-log'
import { fileBackups } from '../adapters/write/file-backups'
import { fileReceipts } from '../adapters/write/file-receipts'
import { nodeWriteFiles } from '../adapters/write/node-write-files'
import { sha256 } from '../adapters/write/sha256'
import { ensureStateFolder, StateFolderError } from '../config/paths'
import { putAuditRows } from '../db/commands/audit'
import { LocalConnection } from '../db/local-connection'
import { rebuildAudit } from '../engine/rebuild-audit'
import { type SettleReport, settleWrites } from '../engine/settle-writes'
import type { AuditRows, Receipts, Writer } from '../engine/write-ports'
import { lookAgain, migrateDatabase, type Setup } from '../wire'

/** Where receipts stand in the state folder; backups and the log stand beside. */
const RECEIPTS = 'receipts'
const BACKUPS = 'backups'
const LOG = join('logs', 'audit.jsonl')

export type OpenWriterResult =
  /** `settled`: what was finished that an earlier process had left. */
  | { readonly ok: true; readonly writer: Writer; readonly settled: SettleReport }
  | { readonly ok: false; readonly message: string }

/** The way to write to stores, after everything that an earlier process left unfinished was settled. */
export async function openWriter(setup: Setup): Promise<OpenWriterResult> {
  try {
    const writer = makeWriter(setup)
    return { ok: true, writer, settled: await settleWrites(writer) }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const message =
      error instanceof StateFolderError
        ? why
        : `Nothing can be written, since the receipts in ${setup.environment.home} cannot be used: ${why}`
    return { ok: false, message }
  }
}

/** How long to wait for another owner's lock, as OpenClaw's variable has it (openclaw.md §5). Milliseconds, or endless. */
export function lockWaitMs(variables: Readonly<Record<string, string | undefined>>): number {
  return lockTimes(variables).acquireTimeoutMs
}

/** The receipts, to read only. */
export function openReceipts({ environment }: Setup): Receipts {
  return fileReceipts(nodeWriteFiles, join(environment.home, RECEIPTS))
}

/**
 * Settles what a crash left and fills the audit table from the receipts; for the start of a process that stays.
 * @returns what the operator should know, in sentences
 */
export async function recoverWrites(setup: Setup): Promise<string[]> {
  const opened = await openWriter(setup)
  if (!opened.ok) return [opened.message]
  const waiting = opened.settled.waiting.map(
    ({ receipt, why }) => `The interrupted write ${receipt} cannot be settled yet: ${why}`,
  )
  const problems = await rebuildAudit(opened.writer).catch((error: unknown) => [
    `The audit table cannot be filled: ${error instanceof Error ? error.message : String(error)}`,
  ])
  return [...waiting, ...problems]
}

function makeWriter(setup: Setup): Writer {
  const { environment, settings } = setup
  const home = ensureStateFolder(environment.home)
  const files = nodeWriteFiles
  const clock = { now: Date.now }
  const receipts = openReceipts(setup)
  const unique = () => randomBytes(6).toString('hex')
  return {
    files,
    sha256,
    locks: sessionLocks({ times: storeLockTimes(environment.lockVariables) }),
    live: liveOwners(),
    receipts,
    backups: fileBackups({ files, sha256, receipts, clock, unique }, join(home, BACKUPS), settings.backups),
    log: fileAuditLog(files, join(home, LOG)),
    rows: auditRows(setup),
    clock,
    ids: { receipt: (now) => `${compactTime(now)}-${unique()}` },
    // Whoever reads the stores sees the change in the file system, too; this covers folders that cannot be watched.
    onWritten: () => lookAgain(environment),
  }
}

/** `20261103T081500123`, UTC, so that ids sort by time. */
function compactTime(now: number): string {
  return new Date(now).toISOString().replace(/[-:.Z]/g, '')
}

/** A connection for each change: writes are rare, and a command line must not keep the database open. */
function auditRows({ environment }: Setup): AuditRows {
  return {
    put: async (receipts) => {
      const migrated = await migrateDatabase(environment)
      if (!migrated.ok) throw new Error(migrated.message)
      const connection = new LocalConnection(migrated.file)
      try {
        await putAuditRows(connection, receipts)
      } finally {
        connection.close()
      }
    },
  }
}
