import { ENDING, isColdText, JOURNALS } from '../../core/cold/layout'
import { type ColdRecord, coldLine, readColdLine } from '../../core/cold/record'
import { append } from '../../core/lists/long-lists'
import type { StoredChunk } from '../../engine/cold/cold-store'
import { unlinkIfThere, writeAll } from '../../engine/write/file-state'
import { readTextFile } from '../../engine/write/read-text'
import { systemCode } from '../../engine/write/refusal'
import type { WriteFiles } from '../../engine/write/write-ports'
import { writeFlushed } from '../write/flushed-file'
import { coldPlace } from './cold-place'

/** Chunks that were stored together, flushed at once, for as long as their own files may not be on the disk yet. */
export class Journals {
  private readonly folder: string

  constructor(
    private readonly files: WriteFiles,
    private readonly root: string,
  ) {
    this.folder = files.join(root, JOURNALS)
  }

  /** One flush for all of them. Answers the journal's file. */
  async write(name: string, chunks: readonly Pick<StoredChunk, 'record'>[]): Promise<string> {
    const { files, folder } = this
    if ((await files.stat(folder)) === null) {
      await files.makeFolder(folder)
      await files.syncFolder(this.root)
    }
    const path = files.join(folder, `${name}${ENDING}`)
    const file = await files.create(path, 0o600)
    try {
      const text = chunks.map(({ record }) => `${coldLine(record)}\n`).join('')
      await writeAll(file, new TextEncoder().encode(text))
      await file.sync()
    } catch (error) {
      await file.close().catch(() => undefined)
      await files.unlink(path).catch(() => undefined)
      throw error
    }
    await file.close()
    await files.syncFolder(folder)
    return path
  }

  /** Records that are in journals. A line that a crash cut short was never reported as stored. */
  async records(): Promise<ColdRecord[]> {
    const found: ColdRecord[] = []
    for (const path of await this.paths()) append(found, await this.read(path))
    return found
  }

  /**
   * Sees to it that all files of the journals are on the disk, and takes the journals away. What is no journal stays,
   * and so does one with a record that has no place: a link is where its folder should be, or another file.
   */
  async settle(): Promise<void> {
    const { files } = this
    for (const path of await this.paths()) {
      if (!(await this.isJournal(path))) continue
      const folders = new Set<string>()
      let placed = true
      for (const record of await this.read(path)) {
        const file = coldPlace(files, this.root, record)
        const folder = files.folderOf(file)
        const stats = await files.stat(folder)
        if (stats === null) await files.makeFolder(folder)
        if ((stats === null || stats.kind === 'folder') && (await this.makeSure(file, record)))
          folders.add(folder)
        else placed = false
      }
      for (const folder of folders) await files.syncFolder(folder)
      await files.syncFolder(this.root)
      if (placed) await unlinkIfThere(files, path)
    }
  }

  /** Whether the record is in its file now. Nothing is replaced but what a crash left of this very record. */
  private async makeSure(file: string, record: ColdRecord): Promise<boolean> {
    const { files } = this
    const stats = await files.stat(file)
    const line = `${coldLine(record)}\n`
    const text = stats?.kind === 'file' ? await readTextFile(files, file) : ''
    if (stats !== null && stats.kind === 'file' && holds(text, record)) {
      const open = await files.openEnd(file)
      try {
        await open.sync()
      } finally {
        await open.close()
      }
      return true
    }
    // After a loss of power the system may have filled the end with zeros.
    const isTorn = stats?.kind === 'file' && stats.links === 1 && line.startsWith(text.replace(/\0+$/, ''))
    if (stats !== null && !isTorn) return false
    await writeFlushed(files, file, [new TextEncoder().encode(line)])
    return true
  }

  /** Anybody may have put a file there; one that is ours is a regular one with records, and has one name. */
  private async isJournal(path: string): Promise<boolean> {
    const stats = await this.files.stat(path)
    if (stats?.kind !== 'file' || stats.links > 1) return false
    const text = await readTextFile(this.files, path).catch((error: unknown) => {
      if (systemCode(error) === 'ENOENT') return null
      throw error
    })
    return text !== null && isColdText({ kind: 'journal' }, text)
  }

  /** The journals that there are. */
  async paths(): Promise<string[]> {
    // Through a link others' files would be read as ours.
    if ((await this.files.stat(this.folder))?.kind !== 'folder') return []
    const names = await this.files.list(this.folder)
    return names
      .filter((name) => name.endsWith(ENDING))
      .sort()
      .map((name) => this.files.join(this.folder, name))
  }

  private async read(path: string): Promise<ColdRecord[]> {
    const text = await readTextFile(this.files, path).catch((error: unknown) => {
      // Another process has recovered it meanwhile.
      if (systemCode(error) === 'ENOENT') return ''
      throw error
    })
    const lines = text.split('\n')
    return lines.flatMap((line) => {
      const read = readColdLine(line)
      return read.ok ? [read.record] : []
    })
  }
}

/** Whether a record is in a text, as it is or renewed since. */
function holds(text: string, { chunkId, at, content }: ColdRecord): boolean {
  return text.split('\n').some((line) => {
    const read = readColdLine(line)
    if (!read.ok) return false
    const { record } = read
    return record.chunkId === chunkId && record.content === content && (record.at ?? 0) >= (at ?? 0)
  })
}
