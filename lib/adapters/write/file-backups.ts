import type { Bytes } from '../../core/units/units'
import type { Clock } from '../../engine/read/ports'
import { hashBytes, hashOf } from '../../engine/write/file-state'
import type { Backups, Hasher, KeepResult, Receipts, WriteFiles } from '../../engine/write/write-ports'
import { writeFlushed } from './flushed-file'

export type BackupLimits = {
  /** All backups together. Bytes. */
  readonly quotaBytes: Bytes
  /** For how long a write can be undone at least. Days. */
  readonly keepDays: number
}

export type BackupsIo = {
  readonly files: WriteFiles
  readonly sha256: () => Hasher
  readonly receipts: Pick<Receipts, 'ids' | 'get'>
  readonly clock: Clock
  /** Another text each time: two processes may keep the same content at the same moment. */
  readonly unique: () => string
}

const DAY_MS = 86_400_000

/** A backup that no receipt names yet may belong to a write that is about to begin. */
const YOUNG_MS = 3_600_000

/** So long a check of all backups serves, at least; other processes add little meanwhile. */
const CHECK_MS = 1_000
/** And so many times as long as it took: a check of a hundred thousand must not be had for each few files. */
const CHECK_SHARE = 20

/** A copy that another content was found in while it was made. */
class OtherContent extends Error {}

/**
 * Backups as files named after the SHA-256 of their bytes, so that the same content is kept once. While there is room,
 * nothing is removed; then what has outlived its retention goes, oldest first; then a write is refused.
 */
export function fileBackups(io: BackupsIo, folder: string, limits: BackupLimits): Backups {
  const { files, clock } = io
  /** What all backups took a moment ago: a write of thousands of files must not look through them for each. */
  let seen: { used: number; readonly until: number } | null = null
  /** Copies that are being made; a look does not see all of them. Bytes. */
  let copying = 0
  let turn: Promise<unknown> = Promise.resolve()
  /** Room for one more copy, found for one after the other; the caller gives it back when the copy is made. */
  const reserve = (size: number): Promise<Room> => {
    const found = turn.then(async () => {
      const from = clock.now()
      if (seen !== null && from < seen.until && seen.used + size <= limits.quotaBytes) {
        seen.used += size
        copying += size
        return { enough: true, used: seen.used, removed: { bytes: 0, count: 0 } }
      }
      const room = await makeRoom(io, folder, limits, copying + size)
      const to = clock.now()
      const until = from + Math.max(CHECK_MS, (to - from) * CHECK_SHARE)
      seen = room.enough ? { used: room.used + copying + size, until } : null
      if (room.enough) copying += size
      return room
    })
    turn = found.catch(() => undefined)
    return found
  }
  const check: Backups['check'] = async (backup, hash) => {
    if ((await files.stat(backup))?.kind !== 'file') return 'missing'
    return (await hashOf(io, backup)) === hash ? 'good' : 'damaged'
  }
  return {
    check,
    placeOf: (hash) => files.join(folder, hash),
    keep: async (file, hash, size) => {
      await files.makeFolder(folder)
      const backup = files.join(folder, hash)
      if ((await check(backup, hash)) === 'good') {
        // In use again: its retention begins anew.
        await files.touch(backup, clock.now())
        return { kept: true, backup, removed: { bytes: 0, count: 0 } }
      }
      const room = await reserve(size)
      if (!room.enough)
        return { kept: false, reason: 'quota', message: quotaMessage(folder, limits, room.used, size) }
      return copy(io, file, backup, hash, room.removed).finally(() => {
        copying -= size
      })
    },
  }
}

async function copy(
  io: BackupsIo,
  file: string,
  backup: string,
  hash: string,
  removed: { bytes: Bytes; count: number },
): Promise<KeepResult> {
  const hasher = io.sha256()
  let copied = ''
  const content = async function* () {
    for await (const piece of io.files.read(file)) {
      hasher.update(piece)
      yield piece
    }
    copied = hasher.digest()
  }
  try {
    const prepared = `${backup}.${io.unique()}.tmp`
    await writeFlushed(io.files, backup, content(), prepared, async () => {
      if (copied !== hash || (await hashBytes(io.sha256(), io.files.read(prepared))) !== hash) {
        throw new OtherContent()
      }
    })
  } catch (error) {
    if (!(error instanceof OtherContent)) throw error
    return copied === hash
      ? {
          kept: false,
          reason: 'damaged',
          message: `The backup ${backup} did not read back as it was written; nothing was changed.`,
        }
      : {
          kept: false,
          reason: 'changed',
          message: `${file} changed while its backup was made; nothing was written.`,
        }
  }
  return { kept: true, backup, removed }
}

type Room = {
  readonly enough: boolean
  readonly used: number
  readonly removed: { bytes: Bytes; count: number }
}

async function makeRoom(io: BackupsIo, folder: string, limits: BackupLimits, wanted: number): Promise<Room> {
  const found = await listBackups(io.files, folder)
  let used = found.reduce((sum, { size }) => sum + size, 0)
  const removed = { bytes: 0, count: 0 }
  if (used + wanted <= limits.quotaBytes) return { enough: true, used, removed }
  const needed = await neededBackups(io, limits.keepDays)
  const now = io.clock.now()
  for (const { path, size, at } of found.sort((a, b) => a.at - b.at)) {
    if (used + wanted <= limits.quotaBytes) break
    if (needed === 'all' || needed.has(path) || now - at < YOUNG_MS) continue
    await io.files.unlink(path)
    used -= size
    removed.bytes += size
    removed.count++
  }
  return { enough: used + wanted <= limits.quotaBytes, used, removed }
}

/** Names of backups, and of copies that a crash left unfinished. Whatever else lies in the folder is left alone. */
const OWN = /^[0-9a-f]{64}(?:\.[\w-]+\.tmp)?$/

type Found = { readonly path: string; readonly size: number; readonly at: number }

async function listBackups(files: WriteFiles, folder: string): Promise<Found[]> {
  const found: Found[] = []
  for (const name of await files.list(folder)) {
    const path = files.join(folder, name)
    const stats = OWN.test(name) ? await files.stat(path) : null
    if (stats?.kind === 'file' && stats.links === 1)
      found.push({ path, size: stats.size, at: Number(BigInt(stats.mtimeNs) / 1_000_000n) })
  }
  return found
}

/** Backups of writes that can still be undone, or of which it is not known yet whether they happened. */
async function neededBackups(
  { receipts, clock }: BackupsIo,
  keepDays: number,
): Promise<ReadonlySet<string> | 'all'> {
  const needed = new Set<string>()
  for (const id of await receipts.ids()) {
    const receipt = await receipts.get(id).catch(() => 'unreadable' as const)
    // It may name any of them.
    if (receipt === 'unreadable') return 'all'
    if (receipt === null) continue
    const isOpen = receipt.state === 'preparing' || receipt.state === 'pending'
    const canBeUndone = receipt.state === 'done' && clock.now() - receipt.at < keepDays * DAY_MS
    if (!isOpen && !canBeUndone) continue
    for (const { backup } of receipt.files) if (backup !== null) needed.add(backup)
  }
  return needed
}

function quotaMessage(
  folder: string,
  { quotaBytes, keepDays }: BackupLimits,
  used: number,
  size: number,
): string {
  return `The backup needs ${size} bytes, and those in ${folder} use ${used} of ${quotaBytes}; all of them belong to writes that can still be undone (${keepDays} days). Raise backups.quota in the settings file, or lower backups.keep. Nothing was changed.`
}
