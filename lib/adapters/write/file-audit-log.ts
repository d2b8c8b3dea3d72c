import { isTorn, readSeal, sealLine } from '../../core/audit/seal'
import type { Bytes } from '../../core/units/units'
import { hashBytes, writeAll } from '../../engine/write/file-state'
import type { SessionLocks } from '../../engine/write/lock-ports'
import type { Receipt } from '../../engine/write/receipt'
import { describeOwner } from '../../engine/write/refusal'
import type { AuditLog, Hasher, WriteFiles } from '../../engine/write/write-ports'
import { auditFiles, LINE_PURPOSE } from './audit-files'
import { type AuditHead, readAuditHead, writeHead } from './audit-head'
import type { Prover } from './proof-key'

export type AuditLogIo = {
  readonly files: WriteFiles
  readonly sha256: () => Hasher
  /** Several processes write; each line needs the one before it. */
  readonly locks: Pick<SessionLocks, 'acquire'>
  readonly prover: Prover
  /** A log beyond this is put aside before the next line. Bytes. */
  readonly maxBytes?: Bytes
}

/** So many megabytes are read within a second. Bytes. */
const MAX_BYTES = 16 * 1024 * 1024

/** A line takes some milliseconds to write. Milliseconds. */
const LOCK_WAIT_MS = 10_000

/** So much of the end is examined first for the last line. Bytes. */
const FIRST_LOOK = 64 * 1024

const NEWLINE = 10

/**
 * A log that grows by one line of JSON per write, each sealed with the hash of the line before and an HMAC, so that
 * no one without the key can change, add or take away one unseen. What a crash cut short is ended before the next line.
 * A log that grows large is put aside; the chain goes on in the next file.
 */
export function fileAuditLog(io: AuditLogIo, folder: string): AuditLog {
  const { files, locks } = io
  return {
    add: async (receipt) => {
      await files.makeFolder(folder)
      const { current } = auditFiles(files, folder)
      const taken = await locks.acquire(current, { waitMs: LOCK_WAIT_MS })
      if (!taken.held) {
        const why =
          taken.reason === 'busy'
            ? describeOwner(taken.owner)
            : taken.reason === 'failed'
              ? taken.problem
              : 'stopped'
        throw new Error(`${current} is locked: ${why}`)
      }
      try {
        await append(io, folder, toLine(receipt))
      } finally {
        await taken.lock.release()
      }
    },
  }
}

async function append(io: AuditLogIo, folder: string, fields: object): Promise<void> {
  const { files, prover } = io
  const names = auditFiles(files, folder)
  let size = (await files.stat(names.current))?.size ?? 0
  const aside = await names.aside()
  // Without a line in it, the log goes on behind what was put aside last.
  const newest = size > 0 ? names.current : (aside.at(-1) ?? null)
  const end =
    (newest === null ? null : await endOf(io, newest)) ?? (await unsealed(io, [...aside, names.current]))
  if (end.sealed !== null && size > (io.maxBytes ?? MAX_BYTES)) {
    await files.rename(names.current, await names.next())
    await files.syncFolder(folder)
    size = 0
  }
  if (size === 0) await makeEmpty(files, names.current)
  const last = end.sealed?.seq ?? 0
  let head = await readAuditHead(files, names.head, prover)
  if (head === null && last === 0) {
    // Before the first line, so that it is missing at no later time unless another hand took it away.
    head = { seq: 0, hash: '' }
    await writeHead(files, names.head, prover, head)
  }
  const seq = nextNumber(head, last)
  const line = sealLine(fields, { seq, prev: end.prev }, (text) => prover.sign(LINE_PURPOSE, text))
  const bytes = new TextEncoder().encode(`${size > 0 && end.isOpen ? '\n' : ''}${line}\n`)
  const file = await files.openEnd(names.current)
  try {
    await writeAll(file, bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await writeHead(files, names.head, prover, { seq, hash: await hashText(io, line) })
}

/** Where lines or their records were taken away, a number is left out, which shows for good. */
function nextNumber(head: AuditHead | 'changed' | null, last: number): number {
  if (head !== null && head !== 'changed') return Math.max(head.seq, last) + 1
  // The first line of a new key comes behind the record of the old one's.
  return last === 0 ? 1 : last + 2
}

/** How a file of the log ends. */
type End = {
  /** The last line with a right seal; null when there is none. */
  readonly sealed: { readonly seq: number } | null
  /** What the next line names as before it. */
  readonly prev: string
  /** Its last line has no end. */
  readonly isOpen: boolean
}

/** null when no line of the file has a right seal. */
async function endOf(io: AuditLogIo, path: string): Promise<End | null> {
  const { files } = io
  const size = (await files.stat(path))?.size ?? 0
  for (let look = FIRST_LOOK, start = size; start > 0; look *= 8) {
    start = Math.max(0, size - look)
    const found = lastSealed(io.prover, await readBytes(files, path, start, size), start > 0)
    if (found === null) continue
    const { seal, line, after, isOpen } = found
    // Lines of another hand behind it are not vouched for.
    const vouched = after.every(isTorn) ? [line, ...after] : [line]
    return { sealed: seal, prev: await hashText(io, vouched.join('\n')), isOpen }
  }
  return null
}

/** A log that is not chained yet: its first sealed line vouches for all that comes before it. */
async function unsealed({ files, sha256 }: AuditLogIo, paths: readonly string[]): Promise<End> {
  const hasher = sha256()
  let last: number | undefined
  for (const path of paths) {
    if ((await files.stat(path)) === null) continue
    for await (const piece of files.read(path)) {
      hasher.update(piece)
      last = piece.at(-1) ?? last
    }
  }
  return { sealed: null, prev: hasher.digest(), isOpen: last !== undefined && last !== NEWLINE }
}

function lastSealed(prover: Prover, bytes: Uint8Array, isCut: boolean) {
  const text = new TextDecoder().decode(bytes)
  const isOpen = !text.endsWith('\n')
  const lines = (isOpen ? text : text.slice(0, -1)).split('\n')
  for (let i = lines.length - 1; i >= (isCut ? 1 : 0); i--) {
    const line = lines[i] ?? ''
    const seal = readSeal(line)
    if (seal !== null && prover.verify(LINE_PURPOSE, seal.body, seal.mac))
      return { seal, line, after: lines.slice(i + 1), isOpen }
  }
  return null
}

async function readBytes(files: WriteFiles, path: string, start: number, end: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(end - start)
  let at = 0
  for await (const piece of files.read(path, { start, end })) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes.subarray(0, at)
}

async function makeEmpty(files: WriteFiles, path: string): Promise<void> {
  const file = await files.create(path, 0o600).catch(async (error: unknown) => {
    if ((await files.stat(path)) === null) throw error
    return null
  })
  await file?.close()
  await files.syncFolder(files.folderOf(path))
}

function hashText({ sha256 }: AuditLogIo, text: string): Promise<string> {
  return hashBytes(
    sha256(),
    (async function* () {
      yield new TextEncoder().encode(text)
    })(),
  )
}

/** Who, what, why, and the hashes; the whole receipt is in its own file. */
function toLine(receipt: Receipt) {
  const { id, kind, at, actor, reason, session, state, verified, undoes, problem, summary } = receipt
  const files = receipt.files.map(({ path, before, after, backup }) => ({
    path,
    before: before?.hash ?? null,
    after: after?.hash ?? null,
    backup,
  }))
  return { at, receipt: id, state, kind, actor, reason, session, files, verified, undoes, problem, summary }
}
