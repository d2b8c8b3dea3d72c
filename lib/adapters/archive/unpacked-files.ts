import { createHash, randomBytes } from 'node:crypto'
import type { ArchivedVersion } from '../../core/archive/archived-version'
import type { Bytes, Milliseconds } from '../../core/units/units'
import type { ArchiveFolder } from '../../engine/archive/archive-ports'
import { readArchived } from '../../engine/archive/read-archived'
import { unlinkIfThere } from '../../engine/write/file-state'
import type { FileStat, WriteFiles } from '../../engine/write/write-ports'
import { writeFlushed } from '../write/flushed-file'
import { sha256 } from '../write/sha256'

/** What was not read for so long is taken away when the next one is unpacked. Milliseconds. */
const UNREAD_MS = 3_600_000
/** More than this stays unpacked only while it is one file. Bytes. */
const MOST_BYTES = 1024 ** 3

const READING = 'reading'
/** Where OpenClaw keeps lines that are wrapped; a reader knows them by this name. */
const COLD = 'cold'
const COLD_FILE = /[\\/]cold[\\/][0-9a-f]{64}\.jsonl\.zst$/
const OWN = /^[0-9a-f]{64}\.jsonl(?:\.zst)?(?:\.[0-9a-f]+\.tmp)?$/

/**
 * Archived transcripts as private files for as long as they are read, so that the reader of their store reads them as it
 * would have there.
 */
export class UnpackedFiles {
  private readonly files: WriteFiles
  private readonly folder: Pick<ArchiveFolder, 'block'>
  private readonly root: string
  private readonly now: () => Milliseconds
  private readonly unpacking = new Map<string, Promise<string>>()

  /** @param root folder of the archive */
  constructor(
    files: WriteFiles,
    folder: Pick<ArchiveFolder, 'block'>,
    root: string,
    now: () => Milliseconds,
  ) {
    this.files = files
    this.folder = folder
    this.root = root
    this.now = now
  }

  /** The path of a file with the bytes of a version. @throws ArchiveDamage */
  path(version: ArchivedVersion): Promise<string> {
    const path = this.files.join(this.root, READING, ...nameOf(version))
    const running = this.unpacking.get(path)
    if (running !== undefined) return running
    const work = this.unpack(path, version).finally(() => this.unpacking.delete(path))
    this.unpacking.set(path, work)
    return work
  }

  private async unpack(path: string, version: ArchivedVersion): Promise<string> {
    const { files, folder, now } = this
    const there = await files.stat(path)
    if (there?.kind === 'file' && there.size === version.size) {
      await files.touch(path, now())
      return path
    }
    await files.makeFolder(files.folderOf(path))
    await this.makeRoom(version.size)
    const content = readArchived({ folder, sha256 }, version)
    await writeFlushed(files, path, content, `${path}.${randomBytes(6).toString('hex')}.tmp`)
    return path
  }

  private async makeRoom(bytes: Bytes): Promise<void> {
    const at = this.now()
    await removeUnpacked(this.files, this.root, (stat) => at - mtimeOf(stat) > UNREAD_MS)
    const left = (await listUnpacked(this.files, this.root)).sort((a, b) => mtimeOf(a.stat) - mtimeOf(b.stat))
    let used = left.reduce((sum, { stat }) => sum + stat.size, bytes)
    for (const { path, stat } of left) {
      if (used <= MOST_BYTES) break
      await unlinkIfThere(this.files, path)
      used -= stat.size
    }
  }
}

/** Takes unpacked files away. @param root folder of the archive */
export async function removeUnpacked(
  files: WriteFiles,
  root: string,
  isWanted: (stat: FileStat) => boolean,
): Promise<void> {
  for (const { path, stat } of await listUnpacked(files, root)) {
    if (isWanted(stat)) await unlinkIfThere(files, path)
  }
}

type Unpacked = { readonly path: string; readonly stat: FileStat }

async function listUnpacked(files: WriteFiles, root: string): Promise<Unpacked[]> {
  const found: Unpacked[] = []
  for (const folder of [files.join(root, READING), files.join(root, READING, COLD)]) {
    for (const name of await files.list(folder)) {
      const path = files.join(folder, name)
      const stat = OWN.test(name) ? await files.stat(path) : null
      if (stat?.kind === 'file') found.push({ path, stat })
    }
  }
  return found
}

/** Named by its content, so that a version that changed has another one. */
function nameOf({ path, form, size, blocks }: ArchivedVersion): string[] {
  const hash = createHash('sha256')
    .update(`${size} ${blocks.join(' ')}`)
    .digest('hex')
  if (form === 'lines' || !path.endsWith('.zst')) return [`${hash}.jsonl`]
  return COLD_FILE.test(path) ? [COLD, `${hash}.jsonl.zst`] : [`${hash}.jsonl.zst`]
}

function mtimeOf({ mtimeNs }: FileStat): Milliseconds {
  return Number(BigInt(mtimeNs) / 1_000_000n)
}
