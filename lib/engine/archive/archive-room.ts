import type { Bytes } from '../../core/units/units'
import type { ArchiveFolder } from './archive-ports'
import { ArchiveFull } from './copy-transcript'

/** With less left on the disk nothing is copied. Bytes. */
const MIN_FREE = 512 * 1024 * 1024

/** How much the archive holds, and how much it may. */
export class ArchiveRoom {
  /** Since the beginning of this process. */
  added: Bytes = 0
  private used: Bytes = 0
  private readonly folder: Pick<ArchiveFolder, 'freeBytes'>
  private readonly quotaBytes: Bytes

  constructor(folder: Pick<ArchiveFolder, 'freeBytes'>, quotaBytes: Bytes) {
    this.folder = folder
    this.quotaBytes = quotaBytes
  }

  /** Why nothing can be copied now, in a sentence; null when it can. */
  async shortage(): Promise<string | null> {
    const free = await this.folder.freeBytes()
    if (free === null || free >= MIN_FREE) return null
    return `Nothing is copied into the archive: its disk has ${free} bytes left, and ${MIN_FREE} stay free.`
  }

  /** @throws ArchiveFull when so many bytes more are too many */
  demand(bytes: Bytes): void {
    const { used } = this
    if (used + bytes <= this.quotaBytes) return
    throw new ArchiveFull(
      `the archive is full (${used} of ${this.quotaBytes} bytes, archive.quota), and all that is in it is kept for as long as archive.keep says. Raise one or lower the other; "plimsoll archive prune" shows what could go.`,
    )
  }

  add(bytes: Bytes): void {
    this.added += bytes
    this.used += bytes
  }

  /** @param used what it holds, all of it counted anew */
  reset(used: Bytes): void {
    this.used = used
  }
}
