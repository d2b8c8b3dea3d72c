import { fileAuditLog } from '../adapters/write/file-audit-log'
import { type BackupLimits, fileBackups } from '../adapters/write/file-backups'
import { fileReceipts } from '../adapters/write/file-receipts'
import { type Prover, prover } from '../adapters/write/proof-key'
import { sha256 } from '../adapters/write/sha256'
import type { LiveOwners, LockOwner, SessionLocks } from '../engine/write/lock-ports'
import type { Receipt } from '../engine/write/receipt'
import type { WriteFiles, Writer } from '../engine/write/write-ports'

export type TestWriter = Writer & {
  readonly rowsPut: Map<string, Receipt>
  readonly written: string[]
  readonly heldLocks: ReadonlySet<string>
}

export type TestWriterOptions = {
  readonly home?: string
  readonly limits?: BackupLimits
  readonly live?: LockOwner | null
  /** Locks of others, by file. */
  readonly foreign?: ReadonlyMap<string, LockOwner>
  /** Answers of `stillHeld`. */
  readonly stillHeld?: () => boolean
  /** Milliseconds since the epoch. */
  readonly now?: () => number
  readonly prover?: Prover
  /** The number after which this writer counts its names; else names are used once in all of the test process. */
  readonly countFrom?: number
  /** Those of the log of writes, where several processes write; else the ones in memory. */
  readonly logLocks?: Pick<SessionLocks, 'acquire'>
}

/** Signs what test writers write; what is not signed is newer than the key. */
export const TEST_PROVER = prover(new Uint8Array(32).fill(7), 0)

let count = 0

/** A writer over any files, with locks in memory; a new one for each process that a test pretends to be. */
export function testWriter(files: WriteFiles, options: TestWriterOptions = {}): TestWriter {
  const home = options.home ?? '/home'
  let own = options.countFrom
  const next = () => (own === undefined ? ++count : ++own)
  const clock = { now: options.now ?? Date.now }
  const heldLocks = new Set<string>()
  const receipts = fileReceipts(files, {
    folder: files.join(home, 'receipts'),
    backups: files.join(home, 'backups'),
    prover: options.prover ?? TEST_PROVER,
  })
  const limits = options.limits ?? { quotaBytes: 1e9, keepDays: 30 }
  const rowsPut = new Map<string, Receipt>()
  const written: string[] = []
  const live: LiveOwners = { find: async () => options.live ?? null }
  const locks = memoryLocks(heldLocks, options)
  return {
    files,
    sha256,
    locks,
    live,
    receipts,
    backups: fileBackups(
      { files, sha256, receipts, clock, unique: () => String(next()) },
      files.join(home, 'backups'),
      limits,
    ),
    log: fileAuditLog(
      { files, sha256, locks: options.logLocks ?? locks, prover: options.prover ?? TEST_PROVER },
      files.join(home, 'logs'),
    ),
    rows: {
      put: async (rows) => {
        for (const row of rows) rowsPut.set(row.id, row)
      },
    },
    clock,
    ids: { receipt: (now) => `${now}-${String(next()).padStart(6, '0')}` },
    onWritten: async (paths) => {
      written.push(...paths)
    },
    rowsPut,
    written,
    heldLocks,
  }
}

/** Locks that know only this process and the given owners. */
function memoryLocks(held: Set<string>, { foreign, stillHeld }: TestWriterOptions): SessionLocks {
  return {
    owner: async (file) => foreign?.get(file) ?? null,
    acquire: async (file) => {
      const owner = foreign?.get(file)
      if (owner !== undefined) return { held: false, reason: 'busy', owner }
      held.add(file)
      return {
        held: true,
        lock: {
          lockFile: `${file}.lock`,
          removed: [],
          stillHeld: async () => stillHeld?.() ?? true,
          release: async () => {
            held.delete(file)
          },
        },
      }
    },
  }
}
