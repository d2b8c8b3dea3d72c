import { type ColdRecord, coldLine, readColdLine } from '../../core/cold/record'
import type { StoredChunk } from '../../engine/cold-store'
import { unlinkIfThere, writeAll } from '../../engine/file-state'
import { systemCode } from '../../engine/refusal'
import type { WriteFiles } from '../../engine/write-ports'
import { writeFlushed } from '../write/flushed-file'
import { coldPlace, ENDING, JOURNALS } from './cold-place'
import { readText } from './read-text'

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
    if ((await files.look(folder)) === null) {
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

  /** Records that stand in journals. A line that a crash cut short was never reported as stored. */
  async records(): Promise<ColdRecord[]> {
    const found: ColdRecord[] = []
    for (const path of await this.paths()) found.push(...(await this.read(path)))
    return found
  }

  /** Sees to it that all files of the journals are on the disk, and takes the journals away. */
  async settle(): Promise<void> {
    const { files } = this
    for (const path of await this.paths()) {
      const folders = new Set<string>()
      for (const record of await this.read(path)) {
        const file = coldPlace(files, this.root, record)
        const folder = files.folderOf(file)
        if ((await files.look(folder)) === null) await files.makeFolder(folder)
        await this.makeSure(file, record)
        folders.add(folder)
      }
      for (const folder of folders) await files.syncFolder(folder)
      await files.syncFolder(this.root)
      await unlinkIfThere(files, path)
    }
  }

  private async makeSure(file: string, record: ColdRecord): Promise<void> {
    const { files } = this
    const seen = await files.look(file)
    if (seen !== null && seen.kind !== 'file') return
    if (seen === null || !holds(await readText(files, file), record)) {
      await writeFlushed(files, file, [new TextEncoder().encode(`${coldLine(record)}\n`)])
      return
    }
    const open = await files.openEnd(file)
    try {
      await open.sync()
    } finally {
      await open.close()
    }
  }

  /** The journals that there are. */
  async paths(): Promise<string[]> {
    const names = await this.files.list(this.folder)
    return names
      .filter((name) => name.endsWith(ENDING))
      .sort()
      .map((name) => this.files.join(this.folder, name))
  }

  private async read(path: string): Promise<ColdRecord[]> {
    const text = await readText(this.files, path).catch((error: unknown) => {
      // Another process has settled it meanwhile.
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

/** Whether a record stands in a text, as it is or renewed since. */
function holds(text: string, { chunkId, at, content }: ColdRecord): boolean {
  return text.split('\n').some((line) => {
    const read = readColdLine(line)
    if (!read.ok) return false
    const { record } = read
    return record.chunkId === chunkId && record.content === content && (record.at ?? 0) >= (at ?? 0)
  })
}
