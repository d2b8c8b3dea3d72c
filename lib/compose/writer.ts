import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { liveOwners } from '../adapters/locks/live-owners'
import { lockTimes } from '../adapters/locks/lock-times'
import { sessionLocks } from '../adapters/locks/session-locks'
import { storeLockTimes } from '../adapters/locks/store-lock-times'
import { stampFiles } from '../adapters/policy/policy-files'
import { checkAuditLog } from '../adapters/write/check-audit-log'
import { fileAuditLog } from '../adapters/write/file-audit-log'
import { fileBackups } from '../adapters/write/file-backups'
import { fileReceipts } from '../adapters/write/file-receipts'
import { nodeWriteFiles } from '../adapters/write/node-write-files'
import { ensureProofKey, findProofKey, keyPath, type Prover } from '../adapters/write/proof-key'
import { sha256 } from '../adapters/write/sha256'
import { ensureStateFolder, StateFolderError } from '../config/paths'
import type { AuditCheck } from '../core/audit/audit-check'
import type { Milliseconds } from '../core/units/units'
import { reasonOf } from '../core/words/reason-of'
import { putAuditRows } from '../db/commands/audit'
import { openConnection } from '../db/open-connection'
import { rebuildAudit } from '../engine/write/rebuild-audit'
import { type RecoveryReport, recoverWrites } from '../engine/write/recover-writes'
import type { AuditRows, Receipts, Writer } from '../engine/write/write-ports'
import { askForRescan, migrateDatabase, type Setup } from './open'

/** Where receipts are in the state folder; backups and the log are beside. */
const RECEIPTS = 'receipts'
const BACKUPS = 'backups'
const LOGS = 'logs'

export type OpenWriterResult =
  /** `settled`: what was finished that an earlier process had left. */
  | { readonly ok: true; readonly writer: Writer; readonly settled: RecoveryReport }
  | { readonly ok: false; readonly message: string }

/** The way to write to stores, after everything that an earlier process left unfinished was recovered. */
export async function openWriter(setup: Setup): Promise<OpenWriterResult> {
  try {
    const writer = makeWriter(setup)
    return { ok: true, writer, settled: await recoverWrites(writer) }
  } catch (error) {
    const why = reasonOf(error)
    const message =
      error instanceof StateFolderError
        ? why
        : `Nothing can be written, since the receipts in ${setup.environment.home} cannot be used: ${why}`
    return { ok: false, message }
  }
}

/**
 * How long to wait for another owner's lock, as OpenClaw's variable has it (lib/docs/openclaw.md#locks). Milliseconds,
 * or endless.
 */
export function lockWaitMs(variables: Readonly<Record<string, string | undefined>>): number {
  return lockTimes(variables).acquireTimeoutMs
}

/** The receipts, to read only. */
export function openReceipts({ environment: { home } }: Setup): Receipts {
  return receiptsIn(home, readKey(home).prover)
}

/** Without a key that can be used nothing is proved; what is wrong with it is shown with the proof. */
function readKey(home: string): { readonly prover: Prover | null; readonly problem: string | null } {
  try {
    return { prover: findProofKey(home), problem: null }
  } catch (error) {
    return { prover: null, problem: reasonOf(error) }
  }
}

/** What the log of writes and the receipts prove together. Reads all of both. */
export async function verifyAudit(setup: Setup): Promise<AuditCheck> {
  const check = await verifyAuditLog(setup)
  const receipts = openReceipts(setup)
  const missing: string[] = []
  for (const id of await receipts.ids()) {
    const read = await receipts.read(id).catch(() => null)
    const isEnded = read !== null && read.receipt.state !== 'preparing' && read.receipt.state !== 'pending'
    if (isEnded && read.proof.kind === 'proved' && !check.receipts.has(id)) missing.push(id)
  }
  if (missing.length === 0) return check
  const are = missing.length === 1 ? 'receipt has' : 'receipts have'
  const problem = `${missing.length} signed ${are} no line in the log, e.g. ${missing[0]}: lines were taken away, or could not be written then.`
  return { ...check, ok: false, problems: [...check.problems, problem] }
}

/** The same of the log alone. */
export async function verifyAuditLog({ environment: { home } }: Setup): Promise<AuditCheck> {
  const { prover, problem } = readKey(home)
  const check = await checkAuditLog({ files: nodeWriteFiles, prover }, join(home, LOGS))
  return problem === null ? check : { ...check, ok: false, problems: [problem, ...check.problems] }
}

function receiptsIn(home: string, prover: Prover | null): Receipts {
  return fileReceipts(nodeWriteFiles, {
    folder: join(home, RECEIPTS),
    backups: join(home, BACKUPS),
    prover,
  })
}

/**
 * Settles what a crash left and fills the audit table from the receipts; for the start of a process that stays.
 * @returns what the operator should know, in sentences
 */
export async function recoverAfterCrash(setup: Setup): Promise<string[]> {
  const opened = await openWriter(setup)
  if (!opened.ok) return [opened.message]
  const { leftAlone } = opened.settled
  const waiting = opened.settled.waiting.map(
    ({ receipt, why }) => `The interrupted write ${receipt} cannot be settled yet: ${why}`,
  )
  const problems = await rebuildAudit(opened.writer).catch((error: unknown) => [
    `The audit table cannot be filled: ${reasonOf(error)}`,
  ])
  return [...leftAlone, ...waiting, ...problems]
}

/** As long as it is the same, no process changed the log or its key. */
export function stampAuditLog({ environment: { home } }: Setup): string {
  const folder = join(home, LOGS)
  let names: string[] = []
  try {
    names = readdirSync(folder).filter((name) => name.startsWith('audit.'))
  } catch {
    // Nothing was written yet.
  }
  return stampFiles([...names.sort().map((name) => join(folder, name)), keyPath(home)])
}

function makeWriter(setup: Setup): Writer {
  const { environment, settings } = setup
  const home = ensureStateFolder(environment.home)
  const files = nodeWriteFiles
  const clock = { now: Date.now }
  const prover = ensureProofKey(home, clock.now())
  const receipts = receiptsIn(home, prover)
  const unique = () => randomBytes(6).toString('hex')
  return {
    files,
    sha256,
    locks: sessionLocks({ times: storeLockTimes(environment.lockVariables) }),
    live: liveOwners(),
    receipts,
    backups: fileBackups({ files, sha256, receipts, clock, unique }, join(home, BACKUPS), settings.backups),
    log: fileAuditLog({ files, sha256, locks: sessionLocks(), prover }, join(home, LOGS)),
    rows: auditRows(setup),
    clock,
    ids: { receipt: (now) => `${compactTime(now)}-${unique()}` },
    // The reader of the stores sees the change in the file system, too; this covers folders that cannot be watched.
    onWritten: () => askForRescan(environment),
  }
}

/** `20261103T081500123`, UTC, so that ids sort by time. */
function compactTime(now: Milliseconds): string {
  return new Date(now).toISOString().replace(/[-:.Z]/g, '')
}

/** A connection for each change: writes are rare, and a command line must not keep the database open. */
function auditRows({ environment }: Setup): AuditRows {
  return {
    put: async (receipts) => {
      const migrated = await migrateDatabase(environment)
      if (!migrated.ok) throw new Error(migrated.message)
      const connection = openConnection(migrated.file)
      try {
        await putAuditRows(connection, receipts)
      } finally {
        connection.close()
      }
    },
  }
}
